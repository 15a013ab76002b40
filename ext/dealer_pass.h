/* The dealer pass: probabilities of a dealer's final totals for many shoes at once.
 *
 * The body below is written once and compiled for two number systems, residues modulo a prime (Montgomery form) and,
 * in each version of the hot loops, double precision. LANES shoes lie side by side.
 */
#ifndef ODDS_DEALER_PASS_H
#define ODDS_DEALER_PASS_H

#include <stdint.h>
#include <string.h>

#include "numbers.h"
#include "vectors.h"

#define LANES 32
#define MAX_OUTCOMES 6 /* 17, 18, 19, 20, 21 without blackjack, and 22 where it is told apart; a bust is what is left */
#define MAX_DRAWS 24
/* Rows of cards that one dealer start can ask for: of each rank, when none, one, two ... of it were drawn. */
#define MAX_ROWS 128

/* One step of a pass: an unfinished hand of the dealer's, in pre-order of the trie of drawn multisets, ranks
 * descending. Rows say of which rank, how many already drawn, the number of cards left is meant, by the place in rows
 * of LANES where they begin; row 0 is always 0. After the last step comes one of depth 1 that draws from row 0. */
typedef struct {
    uint16_t depth;              /* cards drawn so far; 0 is the dealer's start itself */
    uint16_t drawn;              /* row of the card drawn last, before it was drawn */
    uint16_t ends[MAX_OUTCOMES]; /* rows of the cards that end the hand on 17, 18, 19, 20, 21 (and 22) */
} step_t;

/* A pass for N outcomes. TOGETHER vectors of shoes go through all steps at a time, so many that their sums fit into the
 * registers; while a step's hands end, the chance of the next is got ready, as it takes long.
 *
 * `orders[i]`: in how many orders the unfinished hand of step i can be drawn. Rows of LANES numbers, where vectors may
 * begin: cards left in each shoe; 1 / (cards in it when so many are drawn), 0 once it has run out. */
#define DEALER_PASS(NAME, N, NUM, VEC, WIDTH, TOGETHER, ADD, MUL)                                                     \
    static void NAME(const step_t *steps, const NUM *orders, int n_steps, const NUM *rows, const NUM *inverses,      \
                     const field_t *field, NUM *out)                                                                 \
    {                                                                                                                \
        (void)field;                                                                                                 \
        for (int first = 0; first < LANES; first += WIDTH * TOGETHER) {                                              \
            const NUM *row = rows + first, *inverse = inverses + first;                                              \
            VEC chance[MAX_DRAWS + 1][TOGETHER], sum[N][TOGETHER], here[TOGETHER], next[TOGETHER];                   \
            memset(sum, 0, sizeof sum);                                                                              \
            for (int v = 0; v < TOGETHER; ++v)                                                                       \
                chance[0][v] = here[v] = ((const VEC *)inverse)[v];                                                  \
            for (int i = 0; i < n_steps; ++i) {                                                                      \
                const step_t *step = &steps[i];                                                                      \
                const int d = step[1].depth;                                                                         \
                for (int v = 0; v < TOGETHER; ++v)                                                                   \
                    next[v] = MUL(MUL(chance[d - 1][v], ((const VEC *)(row + step[1].drawn))[v]),                    \
                                  ((const VEC *)(inverse + d * LANES))[v]);                                          \
                for (int v = 0; v < TOGETHER; ++v) {                                                                 \
                    const VEC ways = MUL(here[v], orders[i]);                                                        \
                    for (int o = 0; o < N; ++o)                                                                      \
                        sum[o][v] = ADD(sum[o][v], MUL(ways, ((const VEC *)(row + step->ends[o]))[v]));              \
                }                                                                                                    \
                for (int v = 0; v < TOGETHER; ++v)                                                                   \
                    chance[d][v] = here[v] = next[v];                                                                \
            }                                                                                                        \
            for (int o = 0; o < N; ++o)                                                                              \
                memcpy(out + o * LANES + first, sum[o], sizeof sum[o]);                                              \
        }                                                                                                            \
    }

#ifdef VERSION

#define DOUBLE_VECS (LANES / DOUBLES_IN_VECTOR)

/* Fill rows 1, 2, ... of a pass: the cards left of a rank in each shoe, where there are `cards[rank * cards_step]`
 * before `gone[rank * LANES + lane]` are gone and some are drawn. Negative only where it does not matter: a shoe that
 * lacks a card has a row of 0 on the way. */
static void fill_rows(const double *gone, const double *cards, long cards_step, const uint8_t *row_rank,
                      const uint8_t *row_drawn, int n_rows, double *rows)
{
    const double_vector *from = (const double_vector *)gone;
    double_vector left[RANKS * DOUBLE_VECS], *row = (double_vector *)rows;
    const double_vector none = SUB_DOUBLE(from[0], from[0]);
    for (int r = 0; r < RANKS; ++r)
        for (int v = 0; v < DOUBLE_VECS; ++v) {
            const double_vector n = cards[r * cards_step] - from[r * DOUBLE_VECS + v];
            left[r * DOUBLE_VECS + v] = SELECT_VECTOR(LARGER_VECTOR(n, none), n, none);
        }
    for (int k = 1; k < n_rows; ++k)
        for (int v = 0; v < DOUBLE_VECS; ++v)
            row[k * DOUBLE_VECS + v] = left[row_rank[k] * DOUBLE_VECS + v] - (double)row_drawn[k];
}

/* Where there are 32 registers, four vectors go together, else two. */
#if DOUBLES_IN_VECTOR == 8 || defined(__aarch64__)
#define DEALER_TOGETHER 4
#else
#define DEALER_TOGETHER 2
#endif
DEALER_PASS(dealer_pass_5, 5, double, double_vector, DOUBLES_IN_VECTOR, DEALER_TOGETHER, ADD_DOUBLE, MUL_DOUBLE)
DEALER_PASS(dealer_pass_6, 6, double, double_vector, DOUBLES_IN_VECTOR, DEALER_TOGETHER, ADD_DOUBLE, MUL_DOUBLE)

static void dealer_pass_double(const step_t *steps, const double *orders, int n_steps, int n_outcomes,
                               const double *rows, const double *inverses, double *out)
{
    (n_outcomes == 5 ? dealer_pass_5 : dealer_pass_6)(steps, orders, n_steps, rows, inverses, NULL, out);
}

#else

#define ADD_IN_FIELD(a, b) add_residue(a, b, field)
#define MUL_IN_FIELD(a, b) mul_residue(a, b, field)
DEALER_PASS(dealer_residues_5, 5, uint64_t, uint64_t, 1, 1, ADD_IN_FIELD, MUL_IN_FIELD)
DEALER_PASS(dealer_residues_6, 6, uint64_t, uint64_t, 1, 1, ADD_IN_FIELD, MUL_IN_FIELD)

static void dealer_pass_residue(const step_t *steps, const uint64_t *orders, int n_steps, int n_outcomes,
                                const uint64_t *rows, const uint64_t *inverses, const field_t *field, uint64_t *out)
{
    (n_outcomes == 5 ? dealer_residues_5 : dealer_residues_6)(steps, orders, n_steps, rows, inverses, field, out);
}

#endif

#endif
