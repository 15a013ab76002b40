/* The dealer pass: probabilities of a dealer's final totals for many shoes at once.
 *
 * The body below is written once and compiled for two number systems, double precision and residues modulo a prime
 * (Montgomery form). LANES shoes lie side by side, in vectors that the compiler maps to what the processor has.
 */
#ifndef ODDS_DEALER_PASS_H
#define ODDS_DEALER_PASS_H

#include <stdint.h>
#include <string.h>

#include "numbers.h"

#define LANES 32
#define OUTCOMES 5 /* 17, 18, 19, 20, 21 without blackjack; a bust is what is left */
#define MAX_OUTCOMES 6 /* with 22 */
#define MAX_DRAWS 24
/* Rows of cards that one dealer start can ask for: of each rank, when none, one, two ... of it were drawn. */
#define MAX_ROWS 128

/* One step of a pass: an unfinished hand of the dealer's, in pre-order of the trie of drawn multisets, ranks
 * descending. Rows say of which rank, how many already drawn, the number of cards left is meant; row 0 is always 0. */
typedef struct {
    uint8_t depth;          /* cards drawn so far; 0 is the dealer's start itself */
    uint8_t drawn;          /* row of the card drawn last, before it was drawn */
    uint8_t ends[OUTCOMES]; /* rows of the cards that end the hand on 17, 18, 19, 20, 21 */
    uint8_t finishes;       /* whether there is any such card */
} step_t;

#define DOUBLE_VECS (LANES / DOUBLES_IN_VECTOR)

/* What a pass has to know of LANES shoes: `removed` holds RANKS counts for each of n, the last of which stands in for
 * those that are not there. Fills the cards gone, rank by rank, and 1 / (cards left when 0, 1, ... are drawn). */
MULTIVERSION static void gather_shoes(const uint8_t *removed, int n, const double *inverse, long n_inverse,
                                      int max_depth, uint8_t (*gone)[LANES], double *inverses)
{
    int32_t total[LANES];
    for (int l = 0; l < LANES; ++l) {
        const uint8_t *from = removed + (l < n ? l : n - 1) * RANKS;
        int32_t sum = 0;
        for (int r = 0; r < RANKS; ++r) {
            gone[r][l] = from[r];
            sum += from[r];
        }
        total[l] = sum;
    }
    for (int d = 0; d <= max_depth; ++d)
        for (int l = 0; l < LANES; ++l)
            inverses[d * LANES + l] = total[l] + d < n_inverse ? inverse[total[l] + d] : 0.0;
}

/* Fill rows 1, 2, ... of a pass; `cards[r * cards_step]` is the number of cards of rank r before any are gone. */
MULTIVERSION static void fill_rows(const uint8_t (*gone)[LANES], const double *cards, long cards_step,
                                   const uint8_t *row_rank, const uint8_t *row_drawn, int n_rows, double *rows)
{
    double_vector left[RANKS][DOUBLE_VECS];
    double_vector *row = (double_vector *)rows;
    for (int r = 0; r < RANKS; ++r) {
        const double base = cards[r * cards_step];
        double *here = (double *)left[r];
        for (int l = 0; l < LANES; ++l) {
            const double x = base - (double)gone[r][l];
            here[l] = x > 0.0 ? x : 0.0;
        }
    }
    /* Negative only where it does not matter: a shoe that lacks a card has a row of 0 on the way. */
    for (int k = 1; k < n_rows; ++k)
        for (int v = 0; v < DOUBLE_VECS; ++v)
            row[k * DOUBLE_VECS + v] = left[row_rank[k]][v] - (double)row_drawn[k];
}

/* `orders[i]`: in how many orders the unfinished hand of step i can be drawn. Rows of LANES numbers,
 * where vectors may begin: cards left in each shoe; 1 / (cards in it when so many are drawn), 0 once it has run out. */
#define DEALER_PASS_BODY(NAME, NUM, VEC, VECS, ADD, MUL, TARGETS)                                                    \
    TARGETS static void NAME(const step_t *steps, const NUM *orders, int n_steps, const NUM *rows_of_numbers,        \
                             const NUM *inverses, const field_t *field, NUM *out)                                    \
    {                                                                                                                \
        const VEC(*rows)[VECS] = (const VEC(*)[VECS])rows_of_numbers;                                                \
        const VEC(*inverse)[VECS] = (const VEC(*)[VECS])inverses;                                                    \
        VEC chance[MAX_DRAWS + 1][VECS];                                                                             \
        VEC sum[OUTCOMES][VECS];                                                                                     \
        (void)field;                                                                                                 \
        memset(sum, 0, sizeof sum);                                                                                  \
        for (int v = 0; v < VECS; ++v)                                                                               \
            chance[0][v] = inverse[0][v];                                                                            \
        for (int i = 0; i < n_steps; ++i) {                                                                          \
            const int d = steps[i].depth;                                                                            \
            if (d > 0) {                                                                                             \
                const VEC *drawn = rows[steps[i].drawn];                                                             \
                for (int v = 0; v < VECS; ++v)                                                                       \
                    chance[d][v] = MUL(MUL(chance[d - 1][v], drawn[v]), inverse[d][v]);                              \
            }                                                                                                        \
            if (steps[i].finishes) {                                                                                 \
                const VEC *r0 = rows[steps[i].ends[0]], *r1 = rows[steps[i].ends[1]], *r2 = rows[steps[i].ends[2]];  \
                const VEC *r3 = rows[steps[i].ends[3]], *r4 = rows[steps[i].ends[4]];                                \
                const NUM k = orders[i];                                                                             \
                for (int v = 0; v < VECS; ++v) {                                                                     \
                    const VEC w = MUL(chance[d][v], k);                                                              \
                    sum[0][v] = ADD(sum[0][v], MUL(w, r0[v]));                                                       \
                    sum[1][v] = ADD(sum[1][v], MUL(w, r1[v]));                                                       \
                    sum[2][v] = ADD(sum[2][v], MUL(w, r2[v]));                                                       \
                    sum[3][v] = ADD(sum[3][v], MUL(w, r3[v]));                                                       \
                    sum[4][v] = ADD(sum[4][v], MUL(w, r4[v]));                                                       \
                }                                                                                                    \
            }                                                                                                        \
        }                                                                                                            \
        memcpy(out, sum, sizeof sum);                                                                                \
    }

DEALER_PASS_BODY(dealer_pass_double, double, double_vector, DOUBLE_VECS, ADD_DOUBLE, MUL_DOUBLE, MULTIVERSION)
/* The same for the least of processors, so that it can be tested on any. */
DEALER_PASS_BODY(dealer_pass_portable, double, double_vector, DOUBLE_VECS, ADD_DOUBLE, MUL_DOUBLE, )

#define ADD_IN_FIELD(a, b) add_residue(a, b, field)
#define MUL_IN_FIELD(a, b) mul_residue(a, b, field)
DEALER_PASS_BODY(dealer_pass_residue, uint64_t, uint64_t, LANES, ADD_IN_FIELD, MUL_IN_FIELD, )

#endif
