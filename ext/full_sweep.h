/* The hands of one split, each played on everything seen: values for several dealer starts side by side.
 *
 * Hands of a split are those that hold its pair card, two cards or more, by hard total, descending. A terminal is
 * a way in which the first hand can end: one of those hands, or a busted one.
 */
#ifndef ODDS_FULL_SWEEP_H
#define ODDS_FULL_SWEEP_H

#include "hand_sweep.h"
#include "vectors.h"

#define FULL_LANES 4 /* starts side by side, at most */
#define FULL_GONE 64 /* more than the cards of both hands together */

/* What may be done with a hand: stand, hit, double; it may be the end of a doubled hand; its shoe has a number. */
enum { FULL_STANDS = 1, FULL_DRAWS = 2, FULL_DOUBLES = 4, FULL_DOUBLED = 8, FULL_NUMBERED = 16 };

typedef struct {
    int n;                  /* hands */
    const uint8_t *counts;  /* n x RANKS */
    const int32_t *next;    /* n x RANKS: the hand after a card, -1 where it busts or the shoe lacks the cards */
    const uint8_t *fitting; /* so many of the ranks, from the ace, do not bust it */
    const uint8_t *cards;
    const uint8_t *kind;    /* as a finished hand */
    const uint8_t *flags;
    const int8_t *second;     /* of a two-card hand, the card that is not the pair card, else -1 */
    const int32_t *terminal;  /* as a terminal, or -1 */
    const int32_t *busts;     /* n x RANKS: the terminal of the hand busted by a card, or -1 */
} full_hands_t;

typedef struct {
    double counts[RANKS][FULL_LANES]; /* the shoe without the dealer's start */
    double ace_hidden[FULL_LANES];    /* 1 where a hidden ace makes the dealer's blackjack, else 0 */
    double ten_hidden[FULL_LANES];
    double peeks[FULL_LANES];         /* 1 where he looks for one, else 0 */
    double nets[MOST_KINDS];          /* by kind of hand: what it nets with one unit where the dealer busts, */
    double caught_1[MOST_KINDS][FULL_LANES]; /* and against a hidden blackjack with one unit, */
    double caught_2[MOST_KINDS][FULL_LANES]; /* and with two, on the scale of the values */
    double inverse[FULL_GONE];        /* 1 / cards left, by cards gone; 0 where none is left */
    double small[FULL_GONE];          /* the numbers from 0 */
    int slots;                        /* so many kinds net something that depends on the dealer's total */
    int bust;                         /* the kind of a busted hand */
    int later;                        /* hands may be doubled that were hit */
    int total;                        /* cards in the shoe */
    int reserved;                     /* cards that cannot be drawn */
    int hidden;                       /* whether any start may hide a blackjack */
} full_table_t;

#ifdef VERSION

/* What the totals win lies scattered over more memory than the caches hold: ask for it so many hands ahead. */
#define FULL_AHEAD 12
#ifdef __GNUC__
#define FULL_PREFETCH(place) __builtin_prefetch(place)
#else
#define FULL_PREFETCH(place) ((void)0)
#endif

/* One number for each of the starts that a version takes side by side. Written as a vector, since compilers unroll
 * loops this short instead of vectorising them; read and written wherever doubles may lie. */
#if DOUBLES_IN_VECTOR < FULL_LANES
#define FULL_WIDTH DOUBLES_IN_VECTOR
#else
#define FULL_WIDTH FULL_LANES
#endif
#if FULL_WIDTH > 1
typedef double full_vec __attribute__((vector_size(8 * FULL_WIDTH), aligned(8), may_alias));
typedef int64_t full_mask __attribute__((vector_size(8 * FULL_WIDTH), aligned(8), may_alias));
#define FULL_ALL(value) ((full_vec){0.0} + (value))
#define FULL_CHOOSE(mask, a, b) ((full_vec)(((full_mask)(a) & (mask)) | ((full_mask)(b) & ~(mask))))
#else
typedef double full_vec;
typedef int full_mask;
#define FULL_ALL(value) ((full_vec)(value))
#define FULL_CHOOSE(mask, a, b) ((mask) ? (a) : (b))
#endif
#define FULL_VEC(place) (*(const full_vec *)(place))
#define FULL_LARGER(a, b) FULL_CHOOSE((a) > (b), a, b)

/* Cards left of a rank where `left` are before a hand takes `taken`, never below 0. */
static inline void full_left(const full_table_t *t, const full_vec *left, int taken, full_vec *out)
{
    const full_vec n = *left - t->small[taken];
    *out = FULL_CHOOSE(n > 0.0, n, FULL_ALL(0.0));
}

/* In how many ways a card left makes a hidden blackjack, and with what probability. */
static inline void full_hidden(const full_table_t *t, const full_vec *left, const uint8_t *taken, double inverse,
                               full_vec *ways, full_vec *p)
{
    full_vec aces, tens;
    *ways = *p = FULL_ALL(0.0);
    if (!t->hidden)
        return;
    full_left(t, &left[0], taken[0], &aces);
    full_left(t, &left[RANKS - 1], taken[RANKS - 1], &tens);
    *ways = FULL_VEC(t->ace_hidden) * aces + FULL_VEC(t->ten_hidden) * tens;
    *p = *ways * inverse;
}

/* What a finished hand of a kind nets with one unit, jointly with no hidden blackjack; `stand` holds that of the slots. */
static inline void full_joint(const full_table_t *t, int kind, const double *stand, const full_vec *p, full_vec *joint)
{
    if (kind < t->slots)
        *joint = FULL_VEC(stand + kind * FULL_WIDTH);
    else
        *joint = t->nets[kind] * (1.0 - *p);
}

/* The same with so many units, one or two, and with what a hidden blackjack does to them. */
static inline void full_stand(const full_table_t *t, int kind, int units, const full_vec *joint, const full_vec *p,
                              full_vec *out)
{
    *out = (double)units * *joint;
    if (t->hidden)
        *out += FULL_VEC(units == 1 ? t->caught_1[kind] : t->caught_2[kind]) * *p;
}

/* Hand 2, the first having ended as a terminal with the cards `gone`: fills, by the second card of hand 2, what both
 * hands are worth from here (the first with one unit, and doubled), and the units wagered on hand 2.
 *
 * `shoes[h]` is the number of the shoe that lacks both hands, -1 if it cannot be; `stands` holds for each number what
 * kinds net that depend on the dealer's total. `values`, `doubles` and `mores` are room for n hands each.
 */
static void full_second(const full_hands_t *g, const full_table_t *t, const uint8_t *gone, int n_gone, int kind,
                        const int32_t *shoes, const double *stands, double *values, double *doubles, double *mores,
                        double *one, double *two, double *units)
{
    full_vec *value = (full_vec *)values, *twice = (full_vec *)doubles, *more = (full_vec *)mores;
    full_vec left[RANKS];
    for (int r = 0; r < RANKS; ++r)
        left[r] = FULL_VEC(t->counts[r]) - t->small[gone[r]];
    for (int h = 0; h < g->n; ++h) {
        const uint8_t *taken = g->counts + h * RANKS;
        const int32_t *next = g->next + h * RANKS;
        const int flags = g->flags[h], fitting = g->fitting[h], all_gone = n_gone + g->cards[h], second = g->second[h];
        const double *here = NULL;
        full_vec ways, p, joint, weight, best = FULL_ALL(-1e9), raised = FULL_ALL(0.0), worth;
        const int ahead = h + FULL_AHEAD;
        if (ahead < g->n && shoes[ahead] >= 0 && g->kind[ahead] < t->slots)
            FULL_PREFETCH(stands + ((int64_t)shoes[ahead] * t->slots + g->kind[ahead]) * FULL_WIDTH);
        if (flags & FULL_NUMBERED) {
            if (shoes[h] < 0) {
                value[h] = twice[h] = more[h] = FULL_ALL(0.0);
                if (second >= 0)
                    ((full_vec *)one)[second] = ((full_vec *)two)[second] = ((full_vec *)units)[second] = FULL_ALL(0.0);
                continue;
            }
            here = stands + (int64_t)shoes[h] * t->slots * FULL_WIDTH;
        }
        full_hidden(t, left, taken, t->inverse[all_gone], &ways, &p);
        if (here) {
            full_joint(t, g->kind[h], here, &p, &joint);
            if (flags & FULL_STANDS)
                full_stand(t, g->kind[h], 1, &joint, &p, &best);
            if (flags & FULL_DOUBLED)
                full_stand(t, g->kind[h], 2, &joint, &p, &twice[h]);
        }
        worth = best;
        if ((flags & (FULL_DRAWS | FULL_DOUBLES)) && t->total - all_gone > t->reserved) {
            full_vec single = FULL_ALL(0.0), doubled = FULL_ALL(0.0), later = FULL_ALL(0.0);
            full_mask better;
            for (int r = 0; r < fitting; ++r)
                if (next[r] >= 0) {
                    full_left(t, &left[r], taken[r], &weight);
                    single += weight * value[next[r]];
                    if (flags & FULL_DOUBLES)
                        doubled += weight * twice[next[r]];
                    if (t->later)
                        later += weight * more[next[r]];
                }
            if (fitting < RANKS) {
                /* After a bust a blackjack may still be hidden; of the cards that make one only a ten busts. */
                full_vec busted = FULL_ALL(0.0), caught;
                for (int r = fitting; r < RANKS; ++r) {
                    full_left(t, &left[r], taken[r], &weight);
                    busted += weight;
                }
                if (t->hidden) {
                    caught = (busted * ways - weight * FULL_VEC(t->ten_hidden)) * t->inverse[all_gone + 1];
                    busted = t->nets[t->bust] * (busted - caught);
                    single += busted + FULL_VEC(t->caught_1[t->bust]) * caught;
                    doubled += 2.0 * busted + FULL_VEC(t->caught_2[t->bust]) * caught;
                } else {
                    busted *= t->nets[t->bust];
                    single += busted;
                    doubled += 2.0 * busted;
                }
            }
            if (flags & FULL_DRAWS) {
                single *= t->inverse[all_gone];
                better = single > best + TIED_WITHIN;
                best = FULL_CHOOSE(better, single, best);
                if (t->later)
                    raised = FULL_CHOOSE(better, later * t->inverse[all_gone], raised);
                worth = FULL_LARGER(single, worth);
            }
            if (flags & FULL_DOUBLES) {
                doubled *= t->inverse[all_gone];
                raised = FULL_CHOOSE(doubled > best + TIED_WITHIN, 1.0 - FULL_VEC(t->peeks) * p, raised);
                worth = FULL_LARGER(doubled, worth);
            }
        }
        value[h] = worth;
        if (t->later)
            more[h] = raised;
        if (second >= 0) {
            full_vec first;
            full_joint(t, kind, here, &p, &joint);
            full_stand(t, kind, 1, &joint, &p, &first);
            ((full_vec *)one)[second] = first + worth;
            full_stand(t, kind, 2, &joint, &p, &first);
            ((full_vec *)two)[second] = first + worth;
            ((full_vec *)units)[second] = 1.0 - FULL_VEC(t->peeks) * p + raised;
        }
    }
}

/* The same for a hand 2 that gets its second card only now: averages over that card, into the first place of each. */
static void full_average(const full_table_t *t, const uint8_t *gone, int n_gone, int pair, double *one, double *two,
                         double *units)
{
    full_vec sums[3] = {FULL_ALL(0.0), FULL_ALL(0.0), FULL_ALL(0.0)};
    for (int y = 0; y < RANKS; ++y) {
        full_vec left = FULL_VEC(t->counts[y]), weight;
        full_left(t, &left, gone[y] + (y == pair), &weight);
        weight *= t->inverse[n_gone + 1];
        sums[0] += weight * ((full_vec *)one)[y];
        sums[1] += weight * ((full_vec *)two)[y];
        sums[2] += weight * ((full_vec *)units)[y];
    }
    *(full_vec *)one = sums[0];
    *(full_vec *)two = sums[1];
    *(full_vec *)units = sums[2];
}

/* Hand 1, the cards `gone` of hand 2 being known: fills, by its second card, the value of both hands and the units
 * wagered on both. `one`, `two` and `units` hold for each terminal, `stride` starts apart, what follows it. `values`
 * and `wagers` are room for n hands each.
 */
static void full_first(const full_hands_t *g, const full_table_t *t, const uint8_t *gone, int n_gone, int64_t stride,
                       const double *one, const double *two, const double *units, double *values, double *wagers,
                       double *out_value, double *out_wager)
{
    full_vec *value = (full_vec *)values, *wager = (full_vec *)wagers;
    const full_vec *ones = (const full_vec *)one, *twos = (const full_vec *)two, *bets = (const full_vec *)units;
    full_vec left[RANKS];
    for (int r = 0; r < RANKS; ++r)
        left[r] = FULL_VEC(t->counts[r]) - t->small[gone[r]];
    for (int h = 0; h < g->n; ++h) {
        const uint8_t *taken = g->counts + h * RANKS;
        const int flags = g->flags[h], fitting = g->fitting[h], all_gone = n_gone + g->cards[h], second = g->second[h];
        const int64_t end = g->terminal[h] * stride;
        full_vec best = FULL_ALL(-1e9), worth, wagered = FULL_ALL(0.0), weight, ways, p;
        if (flags & FULL_STANDS) {
            best = ones[end];
            wagered = bets[end];
        }
        worth = best;
        full_hidden(t, left, taken, t->inverse[all_gone], &ways, &p);
        for (int doubling = 0; doubling < 2; ++doubling) {
            full_vec sum = FULL_ALL(0.0), sum_bets = FULL_ALL(0.0);
            full_mask better;
            if (!(flags & (doubling ? FULL_DOUBLES : FULL_DRAWS)) || t->total - all_gone <= t->reserved)
                continue;
            for (int r = 0; r < RANKS; ++r) {
                const int32_t to = r < fitting ? g->next[h * RANKS + r] : g->busts[h * RANKS + r];
                if (to < 0)
                    continue;
                full_left(t, &left[r], taken[r], &weight);
                if (r < fitting && !doubling) {
                    sum += weight * value[to];
                    sum_bets += weight * wager[to];
                } else {
                    const int64_t place = (r < fitting ? g->terminal[to] : to) * stride;
                    sum += weight * (doubling ? twos[place] : ones[place]);
                    sum_bets += weight * bets[place];
                }
            }
            sum *= t->inverse[all_gone];
            sum_bets *= t->inverse[all_gone];
            if (doubling)
                sum_bets += 1.0 - FULL_VEC(t->peeks) * p;
            better = sum > best + TIED_WITHIN;
            best = FULL_CHOOSE(better, sum, best);
            wagered = FULL_CHOOSE(better, sum_bets, wagered);
            worth = FULL_LARGER(sum, worth);
        }
        value[h] = worth;
        wager[h] = wagered;
        if (second >= 0) {
            ((full_vec *)out_value)[second] = worth;
            ((full_vec *)out_wager)[second] = wagered + (1.0 - FULL_VEC(t->peeks) * p);
        }
    }
}

#endif

#endif
