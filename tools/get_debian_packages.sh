#!/bin/sh
# Gets what PyPI does not have: get_debian_packages.sh [python] [gtest] [pocl]
# As root it installs Debian packages; as anybody else it unpacks them under build/debian, but for
# PoCL, an OpenCL driver without USM, which works where it is installed only: its tests are skipped.
set -e
cd "$(dirname "$0")/.."

has_python() {
  ${PYTHON:-python3} -c 'if 1:
    import os, sys, sysconfig
    sys.exit(not os.path.exists(sysconfig.get_path("include") + "/Python.h"))' ||
    [ -e build/debian/usr/include/python3.11/Python.h ]
}
has_pocl() { [ -e /etc/OpenCL/vendors/pocl.icd ] || [ "$(id -u)" != 0 ]; }
has_gtest() { [ -e /usr/include/gtest/gtest.h ] || [ -e build/debian/usr/include/gtest/gtest.h ]; }

missing=""
for thing in "$@"; do
  "has_$thing" || case $thing in
    python) missing="$missing libpython3.11-dev" ;;
    gtest) missing="$missing libgtest-dev" ;;
    pocl) missing="$missing pocl-opencl-icd" ;;
  esac
done
[ -n "$missing" ] || exit 0

if [ "$(id -u)" = 0 ]; then
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -qq
  apt-get install -y -qq --no-install-recommends $missing
else
  mkdir -p build/debian
  cd build/debian
  apt-get download $missing || {
    echo "These Debian packages are needed: sudo apt-get install$missing" >&2
    exit 1
  }
  for file in ./*.deb; do dpkg -x "$file" . && rm "$file"; done
fi
