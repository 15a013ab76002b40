/* The hot loops in several versions, each with vectors as wide as the registers of the processors that it is for.
 *
 * All do the same operations in the same order, so that all give the same digits.
 */
#ifndef ODDS_VERSIONS_H
#define ODDS_VERSIONS_H

#include "dealer_pass.h"
#include "full_sweep.h"
#include "hand_sweep.h"
#include "vectors.h"

typedef struct {
    const char *name;
    int full_width; /* starts side by side in the loops of full_sweep.h */
    void (*fill_rows)(const double *gone, const double *cards, long cards_step, const uint8_t *row_rank,
                      const uint8_t *row_drawn, int n_rows, double *rows);
    void (*dealer_pass)(const step_t *steps, const double *orders, int n_steps, int n_outcomes, const double *rows,
                        const double *inverses, double *out);
    void (*hand_sweep)(const sweep_t *s, const double *left, const double *inverse, const double *dealer,
                       const double *pays, const double *blackjack, const double *given, const double *wagers,
                       uint8_t *play, double *const *rows);
    void (*full_second)(const full_hands_t *g, const full_table_t *t, const uint8_t *gone, int n_gone, int kind,
                        const int32_t *shoes, const double *stands, double *values, double *doubles, double *mores,
                        double *one, double *two, double *units);
    void (*full_average)(const full_table_t *t, const uint8_t *gone, int n_gone, int pair, double *one, double *two,
                         double *units);
    void (*full_first)(const full_hands_t *g, const full_table_t *t, const uint8_t *gone, int n_gone, int64_t stride,
                       const double *one, const double *two, const double *units, double *values, double *wagers,
                       double *out_value, double *out_wager);
} version_t;

extern const version_t version_baseline;
#ifdef ODDS_X86_VERSIONS
extern const version_t version_avx2, version_avx512;
#endif

/* Return version number i of those that this processor can run, the best first; NULL after the last. */
static inline const version_t *version_here(int i)
{
    const version_t *here[3];
    int n = 0;
#ifdef ODDS_X86_VERSIONS
    if (__builtin_cpu_supports("avx512f"))
        here[n++] = &version_avx512;
    if (__builtin_cpu_supports("avx2"))
        here[n++] = &version_avx2;
#endif
    here[n++] = &version_baseline;
    return i < n ? here[i] : NULL;
}

#endif
