/* The hot loops for x86-64 with AVX-512. */
#define VERSION avx512
#define VERSION_TARGET "avx512f"
#define DOUBLES_IN_VECTOR 8
#include "version.h"
