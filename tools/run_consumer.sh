#!/bin/sh
# Builds and runs examples/cpp outside this tree, as a stranger would: all by find_package, and some
# by pkg-config and by a plain Makefile, with each compiler that is there, or of those in COMPILERS.
#   run_consumer.sh <CMAKE_PREFIX_PATH> [<prefix of OpenCL's and SYCL's headers and runtimes>]
# Says which of its programs were built. With the second prefix it fails if one was not, where
# Intel's wheels, which bring those headers, exist at all; and the runtimes there, seen as what
# `pip install --user` brings, must be found by a program that does nothing about it.
# Programs run with an empty environment. HIDE="folder ..." names folders that they must not need;
# they are covered while programs run, where the system allows it. Programs that link libraries of
# the second prefix see that one.
set -e
source=$(cd "$(dirname "$0")/../examples/cpp" && pwd)
prefix=$(cd "$1" && pwd)
devices=""
if [ -n "$2" ]; then devices=$(cd "$2" && pwd); fi
jobs=$(nproc 2>/dev/null || echo 2)
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

programs="program arithmetic views reductions spans dlpack threads errors devices heat_equation"
# Each takes seconds to compile, and what differs between the ways is how the library is found.
some="program threads devices"
vendor=""
missing=""
for name in opencl sycl; do
  if [ -n "$devices" ] && case $name in
       opencl) [ -e "$devices/include/CL/cl.h" ] && [ -e "$devices/lib/libOpenCL.so.1" ] ;;
       sycl) [ -e "$devices/include/sycl/sycl.hpp" ] && [ -e "$devices/lib/libsycl.so.9" ] ;;
     esac
  then vendor="$vendor $name"; else missing="$missing $name"; fi
done
if [ -n "$missing" ]; then
  echo "run_consumer:$missing: NOT built: headers or libraries were not found"
  if [ -n "$devices" ] && [ "$(uname -m)" = x86_64 ]; then
    echo "run_consumer: $devices should allow$missing; install intel-sycl-rt and intel-opencl-rt there" >&2
    exit 1
  fi
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

all_but_devices=""
for place in $HIDE; do
  if [ "$place" != "$devices" ]; then all_but_devices="$all_but_devices $place"; fi
done

run() { # the folder of the program, how it was built, the program, and what it is given
  program=$3 built_by=$2
  set -- "$1/$3" ${4:+"$4"}
  if ! alone "$@" >"$program.log" 2>&1; then
    cat "$program.log"
    echo "run_consumer: $program, built by $built_by, failed" >&2
    exit 1
  fi
}

run_all() { # the folder of the programs, how they were built, and which of them
  at=$1 how=$2
  shift 2
  for each in "$@"; do run "$at" "$how" "$each"; done
  for each in $vendor; do HIDE="$all_but_devices" run "$at" "$how" "$each" "$devices/lib"; done
  echo "run_consumer: $how: $*$vendor ran"
}

pc=""
for place in "$prefix"/lib/pkgconfig "$prefix"/lib/*/pkgconfig "$prefix"/../../pkgconfig; do
  if [ -f "$place/isthmus.pc" ]; then pc=$place; fi
done
export PKG_CONFIG_PATH="$pc"

# compile <program>: by pkg-config. What the linker needs for wheels is in the Makefile, with the
# reason.
export compiler devices
# shellcheck disable=SC2016
compile='
  more=""
  case $1 in
    opencl) more="-l:libOpenCL.so.1" ;;
    sycl) more="-l:libsycl.so.9" ;;
  esac
  if [ -n "$more" ]; then
    more="-isystem $devices/include -L$devices/lib $more -Wl,-rpath,$devices/lib
      -Wl,--disable-new-dtags -Wl,--allow-shlib-undefined"
  fi
  $compiler -std=c++20 -pthread "consumer/$1.cpp" -o "by_pkg_config_$compiler/$1" \
    $(pkg-config --cflags --libs isthmus) $more'

for compiler in ${COMPILERS:-g++ clang++}; do
  if ! command -v $compiler >/dev/null; then
    echo "run_consumer: there is no $compiler"
    continue
  fi
  if [ -n "$pc" ] && command -v pkg-config >/dev/null; then
    mkdir "by_pkg_config_$compiler"
    # shellcheck disable=SC2086
    printf '%s\n' $some $vendor | xargs -n 1 -P "$jobs" sh -ec "$compile" compile
    # shellcheck disable=SC2086
    run_all "$folder/by_pkg_config_$compiler" "pkg-config and $compiler" $some
    cp -r consumer "by_make_$compiler"
    make -s -j"$jobs" -C "by_make_$compiler" CXX=$compiler VENDOR="${devices:-none}" \
      ISTHMUS_INCLUDE="$(pkg-config --variable=includedir isthmus)" \
      ISTHMUS_LIB="$(pkg-config --variable=libdir isthmus)" $some $vendor
    # shellcheck disable=SC2086
    run_all "$folder/by_make_$compiler" "make and $compiler" $some
  else
    echo "run_consumer: there is no pkg-config or no isthmus.pc"
  fi
  cmake -S consumer -B "build_$compiler" -G Ninja -DCMAKE_CXX_COMPILER=$compiler \
    -DCMAKE_PREFIX_PATH="$prefix${devices:+;$devices}" >cmake.log ||
    { cat cmake.log; exit 1; }
  cmake --build "build_$compiler" --parallel "$jobs"
  for each in $vendor; do
    if [ ! -x "build_$compiler/$each" ]; then
      cat cmake.log
      echo "run_consumer: $each was not built by find_package and $compiler" >&2
      exit 1
    fi
  done
  ctest --test-dir "build_$compiler" --output-on-failure --no-tests=error
  # shellcheck disable=SC2086
  run_all "$folder/build_$compiler" "find_package and $compiler" $programs
done

if [ -n "$devices" ] && [ "$(uname -m)" = x86_64 ] && [ -x build_g++/devices ]; then
  echo "run_consumer: with runtimes in ~/.local/lib"
  RUNTIMES="$devices/lib" alone "$folder/build_g++/devices" opencl sycl
fi
