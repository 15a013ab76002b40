/* The sweep over the player's hands: what standing, hitting and doubling are worth against one dealer start, or
 * against several side by side.
 *
 * The body below is written once and compiled for two number systems and for one start or several. Hands come by hard
 * total, descending, so that every hit leads to a hand that is known already.
 */
#ifndef ODDS_HAND_SWEEP_H
#define ODDS_HAND_SWEEP_H

#include <stdint.h>

#include "dealer_pass.h"
#include "numbers.h"
#include "vectors.h"

#define START_LANES 8 /* starts side by side in memory, in one or more vectors of each version */

enum { SWEEP_STAND, SWEEP_HIT, SWEEP_DOUBLE };

typedef struct {
    int n_listed;           /* the hands to value: */
    const int32_t *listed;  /* their indexes, ascending */
    const uint8_t *counts;  /* of all hands, x RANKS */
    const int32_t *next;    /* x RANKS: the hand after a card, -1 where it busts */
    const uint8_t *total;
    const uint8_t *soft;
    const uint8_t *cards;
    const uint8_t *may_double;
    const int32_t *rows;    /* of the dealer's probabilities once the hand, and the extra cards, are gone */
    int pair;               /* the pair card of a split, */
    int extra;              /* and how many of them are gone beside those in the hand */
    int draws;              /* a hand of two cards may be hit */
    int optimise;           /* find the play; else follow it */
    int n_gone;             /* numbers in a row of `left` */
    int tie_cost[6];        /* by total (<= 16, 17, ..., 21): 1 where a tie pushes, 2 where it loses */
    int charlie;            /* number of cards that win at once, or 0 */
    int reserved;           /* cards that the player cannot draw: 1 where a hole card lies on the table */
    int shoe;               /* cards in the base shoe */
    int n_starts;           /* at most START_LANES; what is said of further ones does not matter */
    int hidden;             /* whether any start can hide a blackjack */
    int bj_rank[START_LANES];   /* by start, the second card that makes a blackjack, or -1 */
    int bj_cost_1[START_LANES]; /* units that a hand of one unit loses to it on the scale of the values */
    int bj_cost_2[START_LANES]; /* the same for a doubled hand */
} sweep_t;

/* Arguments of a sweep, each number standing for one number of each start, of which those from `first` on are looked at:
 *   left[r * n_gone + k]: cards of rank r left when k are gone; inverse[k]: 1 / cards left when k are gone.
 *   dealer[row * OUTCOMES + o]: the dealer's probabilities; unit: the number 1.
 *   play: by hand and start, written if it is to be found.
 *   stand, hit, doubled: by hand; may be null. value, stand_2: what the play is worth; what standing with two units is.
 */

#define NUM double
#define ADD(a, b) ADD_DOUBLE(a, b)
#define SUB(a, b) SUB_DOUBLE(a, b)
#define MUL(a, b) MUL_DOUBLE(a, b)
#define TIMES(n, unit) ((n) * (unit))

#ifdef VERSION

/* Several starts, in doubles: those of one vector at a time. */
#define VEC double_vector
#define WIDTH DOUBLES_IN_VECTOR
#define STEP START_LANES
#define MASK mask_vector
#define LARGER(a, b) LARGER_VECTOR(a, b)
#define SELECT(mask, a, b) SELECT_VECTOR(mask, a, b)
#define SWEEP_NAME hand_sweep_vector
#define SWEEP_HIDDEN hidden_vector
#include "hand_sweep_body.h"

static void hand_sweep_block(const sweep_t *s, const double *left, const double *inverse, const double *dealer,
                             uint8_t *play, double *stand, double *hit, double *doubled, double *value,
                             double *stand_2)
{
    for (int first = 0; first < s->n_starts; first += WIDTH)
        hand_sweep_vector(s, first, left + first, inverse + first, dealer + first, 1.0, NULL, play + first,
                          stand ? stand + first : NULL, stand ? hit + first : NULL, stand ? doubled + first : NULL,
                          value + first, stand_2 + first);
}

#else

/* One start, in doubles. */
#define VEC double
#define WIDTH 1
#define STEP 1
#define MASK int64_t
#define LARGER(a, b) (-(int64_t)((a) > (b)))
#define SELECT(mask, a, b) ((mask) ? (a) : (b))
#define SWEEP_NAME hand_sweep_double
#define SWEEP_HIDDEN hidden_double
#include "hand_sweep_body.h"
#undef NUM
#undef VEC
#undef ADD
#undef SUB
#undef MUL
#undef TIMES
#undef LARGER
#undef SWEEP_NAME
#undef SWEEP_HIDDEN

/* One start, in residues, whose play is given. */
#define NUM uint64_t
#define VEC uint64_t
#define ADD(a, b) add_residue(a, b, field)
#define SUB(a, b) sub_residue(a, b, field)
#define MUL(a, b) mul_residue(a, b, field)
#define TIMES(n, unit) ((n) == 0 ? 0 : (n) == 1 ? (unit) : add_residue(unit, unit, field))
#define LARGER(a, b) 0
#define SWEEP_NAME hand_sweep_residue
#define SWEEP_HIDDEN hidden_residue
#include "hand_sweep_body.h"

#endif

#endif
