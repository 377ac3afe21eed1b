#!/bin/sh
# Builds and runs examples/cpp outside this tree, as a stranger would: by find_package, by
# pkg-config and by a plain Makefile, with each compiler that is there.
#   run_consumer.sh <CMAKE_PREFIX_PATH> [<prefix of OpenCL's and SYCL's headers and runtimes>]
# Says which of its programs were built. With the second prefix it fails if one was not, where
# Intel's wheels, which bring those headers, exist at all; and the runtimes there, seen as what
# `pip install --user` brings, must be found by a program that does nothing about it.
# Programs run with an empty environment. HIDE="folder ..." names folders that they must not need;
# they are covered while programs run, where the system allows it.
set -e
source=$(cd "$(dirname "$0")/../examples/cpp" && pwd)
prefix=$(cd "$1" && pwd)
devices=""
if [ -n "$2" ]; then devices=$(cd "$2" && pwd); fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder/home/.local/lib" "$folder/home/none"
cp -r "$source" "$folder/consumer"
cd "$folder"

namespace=""
for flags in -m -rm; do
  if [ -z "$namespace" ] && unshare $flags true 2>/dev/null; then namespace=$flags; fi
done
if [ -z "$namespace" ]; then
  echo "run_consumer: nothing can be hidden here (unshare -m): HIDE is not heeded"
fi

# alone <command> ...: runs it with an empty environment and without the folders of HIDE. What
# RUNTIMES names is in ~/.local/lib then.
alone() {
  if [ -n "$namespace" ]; then
    # shellcheck disable=SC2016
    HOME_NOW="$folder/home" HIDE="$HIDE" RUNTIMES="$RUNTIMES" unshare $namespace sh -ec '
      if [ -n "$RUNTIMES" ]; then mount --bind "$RUNTIMES" "$HOME_NOW/.local/lib"; fi
      for place in $HIDE; do mount -t tmpfs none "$place"; done
      exec env -i HOME="$HOME_NOW" PATH=/usr/bin:/bin "$@"' alone "$@"
  else
    home="$folder/home/none"
    if [ -n "$RUNTIMES" ]; then
      home="$folder/home/linked"
      mkdir -p "$home/.local"
      ln -sfn "$RUNTIMES" "$home/.local/lib"
    fi
    env -i HOME="$home" PATH=/usr/bin:/bin "$@"
  fi
}

run_all() { # the folder of the programs, and how they were built
  for program in $programs; do
    if ! alone "$1/$program" >"$program.log" 2>&1; then
      cat "$program.log"
      echo "run_consumer: $program, built by $2, failed" >&2
      exit 1
    fi
  done
  echo "run_consumer: $2: $programs ran"
}

programs="main heat_equation devices"
pc=""
for place in "$prefix"/lib/pkgconfig "$prefix"/lib/*/pkgconfig "$prefix"/../../pkgconfig; do
  if [ -f "$place/isthmus.pc" ]; then pc=$place; fi
done
export PKG_CONFIG_PATH="$pc"
for compiler in g++ clang++; do
  if ! command -v $compiler >/dev/null; then
    echo "run_consumer: there is no $compiler"
    continue
  fi
  if [ -n "$pc" ] && command -v pkg-config >/dev/null; then
    mkdir "by_pkg_config_$compiler"
    for program in $programs; do
      # shellcheck disable=SC2046
      $compiler -std=c++20 "consumer/$program.cpp" -o "by_pkg_config_$compiler/$program" \
        $(pkg-config --cflags --libs isthmus)
    done
    run_all "$folder/by_pkg_config_$compiler" "pkg-config and $compiler"
    cp -r consumer "by_make_$compiler"
    make -C "by_make_$compiler" CXX=$compiler \
      ISTHMUS_INCLUDE="$(pkg-config --variable=includedir isthmus)" \
      ISTHMUS_LIB="$(pkg-config --variable=libdir isthmus)"
    run_all "$folder/by_make_$compiler" "make and $compiler"
  else
    echo "run_consumer: there is no pkg-config or no isthmus.pc"
  fi
done
if [ -n "$devices" ] && [ "$(uname -m)" = x86_64 ] && [ -x by_make_g++/devices ]; then
  echo "run_consumer: with runtimes in ~/.local/lib"
  RUNTIMES="$devices/lib" alone "$folder/by_make_g++/devices" opencl sycl
fi

cmake -S consumer -B build -G Ninja -DCMAKE_PREFIX_PATH="$prefix${devices:+;$devices}" \
  -DCMAKE_BUILD_TYPE=Release
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
programs="consumer heat_equation devices"
run_all "$folder/build" "find_package"
