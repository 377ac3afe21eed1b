// export.h: what libisthmus.so exports; everything else is hidden. Also the compiler options that
// programs need.
#pragma once

#include <version>

#define ISTHMUS_EXPORT __attribute__((visibility("default")))
/// Marks an argument that the new object does not keep: Clang warns if it is a temporary.
#ifdef __clang__
#define ISTHMUS_LIFETIMEBOUND [[clang::lifetimebound]]
#else
#define ISTHMUS_LIFETIMEBOUND
#endif
/// The namespace in isthmus that contains all names. It is named after the ABI version, so that two
/// versions of the library in one process do not conflict. base/version.cpp checks it.
#define ISTHMUS_ABI v0_1

#if __cplusplus < 202002L
#error "Isthmus needs C++20: compile with -std=c++20 or later"
#endif
#ifndef __GLIBCXX__
#error "Isthmus needs GCC's standard library: compile without -stdlib=libc++"
#endif
#if !_GLIBCXX_USE_CXX11_ABI
#error \
    "Isthmus is compiled with the C++11 ABI of libstdc++: compile without -D_GLIBCXX_USE_CXX11_ABI=0"
#endif
// Containers of the debug mode are other types with other sizes. CMakeLists.txt defines the second
// macro for a library that is itself compiled in debug mode.
#if defined(_GLIBCXX_DEBUG) && !defined(ISTHMUS_GLIBCXX_DEBUG)
#error \
    "Isthmus is compiled without -D_GLIBCXX_DEBUG, which changes std::vector: compile with -D_GLIBCXX_ASSERTIONS in its place"
#elif !defined(_GLIBCXX_DEBUG) && defined(ISTHMUS_GLIBCXX_DEBUG)
#error "Isthmus is compiled with -D_GLIBCXX_DEBUG, which changes std::vector: compile with it too"
#endif
