/* The sweep over the player's hands: what standing, hitting and doubling are worth against one dealer start, or
 * against several side by side.
 *
 * The body below is written once and compiled for two number systems and for one start or several. Hands come by hard
 * total, descending, so that every hit leads to a hand that is known already.
 */
#ifndef ODDS_HAND_SWEEP_H
#define ODDS_HAND_SWEEP_H

#include <stdint.h>

#include "actions.h"
#include "dealer_pass.h"
#include "numbers.h"
#include "vectors.h"

#define START_LANES 8 /* starts side by side in memory, in one or more vectors of each version */

#define MOST_KINDS 256
#define MOST_LEVELS 6 /* a hand that was never doubled, and doubled up to five times; or so many kinds of money */
#define HANDS_AHEAD 8

/* What a sweep fills, by hand: what standing, hitting and doubling are worth; what the play is worth; the units that the
 * play adds to the first after a hit, and after a double; what giving up is worth; and to work in, what standing with two
 * units is worth, and the units that the play adds. The first three may be null together, and then with levels those
 * that follow the value; without levels the units after a hit may be where no hand may be doubled that was hit, and the
 * two rows after it are not filled. */
enum {
    ROW_STAND,
    ROW_HIT,
    ROW_DOUBLE,
    ROW_VALUE,
    ROW_HIT_MORE,
    ROW_DOUBLE_MORE,
    ROW_GIVEN,
    ROW_STAND_2,
    ROW_MORE,
    N_SWEEP_ROWS
};

typedef struct {
    int n_listed;           /* the hands to value: */
    const int32_t *listed;  /* their indexes, ascending */
    const uint8_t *counts;  /* of all hands, x RANKS */
    const int32_t *next;    /* x RANKS: the hand after a card, -1 where it busts */
    const uint8_t *cards;
    const uint8_t *may;     /* what may be done, a sum of 1 << action */
    const uint8_t *kinds;   /* what kind of finished hand it is */
    const int32_t *rows;    /* of the dealer's probabilities once the hand, and the extra cards, are gone */
    int n_outcomes;         /* dealer's totals in such a row */
    int n_terms[MOST_KINDS];                  /* by kind, at how many of them it nets something else than at a bust, */
    uint8_t terms[MOST_KINDS][MAX_OUTCOMES];  /* and at which */
    int bust;               /* the kind of a busted hand */
    int pair;               /* the pair card of a split, */
    int extra;              /* and how many of them are gone beside those in the hand */
    int optimise;           /* find the play; else follow it */
    const uint8_t *asked;   /* by hand and level, which actions of a play that is followed are asked for, likewise, no hand
                             * at 0 being come to; null where all that may be done is */
    int later;              /* hands may be doubled that were hit */
    int levels;             /* what money there may be on a hand; 0 where a doubled hand only stands, with two units */
    int size;               /* all hands of a level */
    const uint8_t *free;    /* by hand, whether its double is free */
    int doubled[MOST_LEVELS][2]; /* the level to which a double of one's own leads, and a free one */
    int order[MOST_LEVELS]; /* the levels, each after those from which a double leads to it */
    int adds[MOST_LEVELS];  /* whether money may still be added there */
    int busts[MOST_LEVELS]; /* the kind of a busted hand */
    uint8_t offered[MOST_LEVELS][START_LANES]; /* by level and start, whether a hand may be given up */
    int n_gone;             /* numbers in a row of `left` */
    int reserved;           /* cards that the player cannot draw: 1 where a hole card lies on the table */
    int shoe;               /* cards in the base shoe */
    int n_starts;           /* at most START_LANES; what is said of further ones does not matter */
    int hidden;             /* whether any start can hide a blackjack */
    int bj_rank[START_LANES]; /* by start, the second card that makes a blackjack, an ace or a ten, or -1 */
    int peeks[START_LANES];   /* by start, whether the dealer has looked for it */
} sweep_t;

/* Arguments of a sweep, each number standing for one number of each start, of which those from `first` on are looked at:
 *   left[r * n_gone + k]: cards of rank r left when k are gone; inverse[k]: 1 / cards left when k are gone.
 *   dealer[row * n_outcomes + o]: the dealer's probabilities; unit: the number 1.
 *   pays[kind * (1 + n_outcomes)]: what a kind nets with one unit where the dealer busts, then the difference at each
 *   of his totals; the same for all starts.
 *   blackjack[2 * kind]: what it nets against a hidden blackjack with one unit and with two, on the scale of the values.
 *   given[2 * level]: what a hand that is given up nets where there is no hidden blackjack, then against one, on the scale
 *   of the values. wagers[level]: what the nets of a hand's kind are times at a level; wagers[levels + level]: one's own
 *   units there; the same for all starts. Both only where there are levels.
 *   play: by hand and start, written if it is to be found.
 *   rows: where the results go.
 */

#define NUM double
#define ADD(a, b) ADD_DOUBLE(a, b)
#define SUB(a, b) SUB_DOUBLE(a, b)
#define MUL(a, b) MUL_DOUBLE(a, b)

#ifdef VERSION

/* Several starts, in doubles: those of one vector at a time. */
#define VEC double_vector
#define WIDTH DOUBLES_IN_VECTOR
#define STEP START_LANES
#define MASK mask_vector
#define LARGER(a, b) LARGER_VECTOR(a, b)
#define SELECT(mask, a, b) SELECT_VECTOR(mask, a, b)
#define EQUAL(a, b) EQUAL_VECTOR(a, b)
#define BYTES(from) BYTES_VECTOR(from)
#define TO_BYTES(to, a) TO_BYTES_VECTOR(to, a)
#define SWEEP_NAME hand_sweep_vector
#define LEVELS_NAME level_sweep_vector
#define DRAW_NAME draw_vector
#define AHEAD_NAME ahead_vector
#define SWEEP_HIDDEN hidden_vector
#include "hand_sweep_body.h"

static void hand_sweep_block(const sweep_t *s, const double *left, const double *inverse, const double *dealer,
                             const double *pays, const double *blackjack, const double *given, const double *wagers,
                             uint8_t *play, double *const *rows)
{
    for (int first = 0; first < s->n_starts; first += WIDTH) {
        double *to[N_SWEEP_ROWS];
        for (int row = 0; row < N_SWEEP_ROWS; ++row)
            to[row] = rows[row] ? rows[row] + first : NULL;
        hand_sweep_vector(s, first, left + first, inverse + first, dealer + first, pays, blackjack + first,
                          given ? given + first : NULL, wagers, 1.0, NULL, play + first, to);
    }
}

#else

/* One start, in doubles. */
#define VEC double
#define WIDTH 1
#define STEP 1
#define MASK int64_t
#define LARGER(a, b) (-(int64_t)((a) > (b)))
#define SELECT(mask, a, b) ((mask) ? (a) : (b))
#define EQUAL(a, b) (-(int64_t)((a) == (b)))
#define BYTES(from) ((int64_t)*(from))
#define TO_BYTES(to, a) (*(to) = (uint8_t)(a))
#define SWEEP_NAME hand_sweep_double
#define LEVELS_NAME level_sweep_double
#define DRAW_NAME draw_double
#define AHEAD_NAME ahead_double
#define SWEEP_HIDDEN hidden_double
#include "hand_sweep_body.h"
#undef NUM
#undef VEC
#undef ADD
#undef SUB
#undef MUL
#undef LARGER
#undef SWEEP_NAME
#undef LEVELS_NAME
#undef DRAW_NAME
#undef AHEAD_NAME
#undef SWEEP_HIDDEN

/* One start, in residues, whose play is given. */
#define NUM uint64_t
#define VEC uint64_t
#define ADD(a, b) add_residue(a, b, field)
#define SUB(a, b) sub_residue(a, b, field)
#define MUL(a, b) mul_residue(a, b, field)
#define LARGER(a, b) 0
#define SWEEP_NAME hand_sweep_residue
#define LEVELS_NAME level_sweep_residue
#define DRAW_NAME draw_residue
#define AHEAD_NAME ahead_residue
#define SWEEP_HIDDEN hidden_residue
#include "hand_sweep_body.h"

#endif

#endif
