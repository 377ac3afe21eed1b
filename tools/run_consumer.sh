#!/bin/sh
# Builds and runs examples/cpp_consumer outside this tree, as a stranger would:
# run_consumer.sh <CMAKE_PREFIX_PATH> [<prefix of OpenCL's and SYCL's headers>]
# Says which of its programs were built. With the second prefix it fails if one was not, where
# Intel's wheels, which bring those headers, exist at all.
set -e
source=$(cd "$(dirname "$0")/../examples/cpp_consumer" && pwd)
prefix=$(cd "$1" && pwd)
devices=""
if [ -n "$2" ]; then
  devices=$(cd "$2" && pwd)
  prefix="$prefix;$devices"
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp -r "$source" "$folder/consumer"
cd "$folder"
cmake -S consumer -B build -G Ninja -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_BUILD_TYPE=Release
cmake --build build
missing=""
for program in consumer consumer_opencl consumer_sycl; do
  if [ -x "build/$program" ]; then
    echo "run_consumer: $program was built"
  else
    echo "run_consumer: $program was NOT built: its headers or library were not found"
    missing="$missing $program"
  fi
done
if [ -n "$missing" ] && [ -n "$devices" ] && [ "$(uname -m)" = x86_64 ]; then
  echo "run_consumer: $devices should allow$missing; install intel-sycl-rt and intel-opencl-rt there" >&2
  exit 1
fi
ctest --test-dir build --output-on-failure --no-tests=error
