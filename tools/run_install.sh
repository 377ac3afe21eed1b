#!/bin/sh
# What `cmake --install` of a build without Python brings: installs, moves it to another folder and
# has strangers' programs run there, with the build folder and the Python environment hidden.
#   run_install.sh <build folder> [<prefix of OpenCL's and SYCL's headers and runtimes>]
set -e
tools=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd)
devices=""
if [ -n "$2" ]; then devices=$(cd "$2" && pwd -P); fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cmake --install "$build" --prefix "$folder/first" >"$folder/install.log"
mv "$folder/first" "$folder/moved"

# Paths of this machine, which would be followed only as long as they are there.
for place in "$build" "$folder/first" $devices; do
  if grep -rlF "$place" "$folder/moved"; then
    echo "run_install: the files above name $place" >&2
    exit 1
  fi
done
# The public headers, and no other.
printf '#include <isthmus/isthmus.h>\n' | g++ -std=c++20 -I"$folder/moved/include" -x c++ -M - |
  tr ' ' '\n' | grep "^$folder/moved/include" | sort -u >"$folder/included"
find "$folder/moved/include" -type f | sort >"$folder/installed"
diff "$folder/included" "$folder/installed" || {
  echo "run_install: isthmus.h does not include what is installed (>), or it is not there (<)" >&2
  exit 1
}
HIDE="$build $devices" "$tools/run_consumer.sh" "$folder/moved" $devices
