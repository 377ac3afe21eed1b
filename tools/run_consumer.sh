#!/bin/sh
# Builds and runs examples/cpp_consumer outside this tree, as a stranger would:
# run_consumer.sh <CMAKE_PREFIX_PATH> [<prefix of OpenCL's and SYCL's headers>]
set -e
source=$(cd "$(dirname "$0")/../examples/cpp_consumer" && pwd)
prefix=$(cd "$1" && pwd)
[ -z "$2" ] || prefix="$prefix;$(cd "$2" && pwd)"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp -r "$source" "$folder/consumer"
cd "$folder"
cmake -S consumer -B build -G Ninja -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_BUILD_TYPE=Release
cmake --build build
ctest --test-dir build --output-on-failure --no-tests=error
