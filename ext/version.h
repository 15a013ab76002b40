/* One version of the hot loops: what includes this has defined VERSION, its name, VERSION_TARGET, the processors that
 * it is for (left out where it is for all), and DOUBLES_IN_VECTOR. */
#include "vectors.h"
#if !defined(VERSION_TARGET) || defined(ODDS_X86_VERSIONS)
#include "versions.h"

#define TABLE_OF(version) TABLE_OF_(version)
#define TABLE_OF_(version) version_##version
#define NAME_OF(version) NAME_OF_(version)
#define NAME_OF_(version) #version

const version_t TABLE_OF(VERSION) = {
    NAME_OF(VERSION), FULL_WIDTH,  fill_rows,    dealer_pass_double,
    hand_sweep_block, full_second, full_average, full_first,
};

#if defined(VERSION_TARGET) && defined(__clang__)
#pragma clang attribute pop
#endif
#endif
