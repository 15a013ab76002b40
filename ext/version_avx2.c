/* The hot loops for x86-64 with AVX2. */
#define VERSION avx2
#define VERSION_TARGET "avx2"
#define DOUBLES_IN_VECTOR 4
#include "version.h"
