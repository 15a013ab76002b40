/* The hot loops for every processor: registers of two doubles are the least that those of 64 bits have. */
#define VERSION baseline
#ifdef __GNUC__
#define DOUBLES_IN_VECTOR 2
#else
#define DOUBLES_IN_VECTOR 1
#endif
#include "version.h"
