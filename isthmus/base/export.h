// export.h: what libisthmus.so shows; everything else is hidden.
#pragma once

#define ISTHMUS_EXPORT __attribute__((visibility("default")))
