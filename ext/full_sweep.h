/* The hands of one split, each played on everything seen: values for several dealer starts side by side.
 *
 * Hands of a split are those that hold its pair card, two cards or more, by hard total, descending. A terminal is
 * a way in which the first hand can end: one of those hands, or a busted one.
 */
#ifndef ODDS_FULL_SWEEP_H
#define ODDS_FULL_SWEEP_H

#include "dealer_pass.h"

#define FULL_LANES 8
#define FULL_GONE 64 /* more than the cards of both hands together */
#define FULL_SLOTS 6 /* totals up to 16, then 17 to 21 */
#define FULL_TIE 1e-12

typedef double full_lanes_t[FULL_LANES];

/* What of a finished hand matters: a slot of its total, or one of these. */
enum { FULL_CHARLIE = FULL_SLOTS, FULL_BLACKJACK, FULL_BUST };

/* What may be done with a hand: stand, hit, double; it may be the end of a doubled hand; its shoe has a number. */
enum { FULL_STANDS = 1, FULL_DRAWS = 2, FULL_DOUBLES = 4, FULL_DOUBLED = 8, FULL_NUMBERED = 16 };

typedef struct {
    int n;                  /* hands */
    const uint8_t *counts;  /* n x RANKS */
    const int32_t *next;    /* n x RANKS: the hand after a card, -1 where it busts or the shoe lacks the cards */
    const uint8_t *fitting; /* so many of the ranks, from the ace, do not bust it */
    const uint8_t *cards;
    const uint8_t *kind;
    const uint8_t *flags;
    const int8_t *second;     /* of a two-card hand, the card that is not the pair card, else -1 */
    const int32_t *terminal;  /* as a terminal, or -1 */
    const int32_t *busts;     /* n x RANKS: the terminal of the hand busted by a card, or -1 */
} full_hands_t;

typedef struct {
    double counts[RANKS][FULL_LANES]; /* the shoe without the dealer's start */
    double ace_hidden[FULL_LANES];    /* 1 where a hidden ace makes the dealer's blackjack, else 0 */
    double ten_hidden[FULL_LANES];
    double cost_1[FULL_LANES];        /* what a hidden blackjack takes from a hand of one unit, of two */
    double cost_2[FULL_LANES];
    double tied[FULL_LANES];          /* what a blackjack of a split nets against a hidden one */
    double peeks[FULL_LANES];         /* 1 where he looks for one, else 0 */
    double inverse[FULL_GONE];        /* 1 / cards left, by cards gone; 0 where none is left */
    double pays;                      /* for a blackjack */
    int total;                        /* cards in the shoe */
    int reserved;                     /* cards that cannot be drawn */
    int hidden;                       /* whether any start may hide a blackjack */
} full_table_t;

static inline double larger(double a, double b)
{
    return a > b ? a : b;
}

/* The cards left of a rank, and the probability of a hidden blackjack. */
#define FULL_LEFT(r, gone) larger(t->counts[r][l] - (gone), 0.0)

static inline void full_hidden(const full_table_t *t, const int *gone, int n_gone, double *ways, double *p)
{
    for (int l = 0; l < FULL_LANES; ++l)
        ways[l] = p[l] = 0.0;
    if (!t->hidden)
        return;
    for (int l = 0; l < FULL_LANES; ++l) {
        ways[l] = t->ace_hidden[l] * FULL_LEFT(0, gone[0]) + t->ten_hidden[l] * FULL_LEFT(RANKS - 1, gone[RANKS - 1]);
        p[l] = ways[l] * t->inverse[n_gone];
    }
}

/* What a finished hand wins with one unit, jointly with no hidden blackjack (a bust: loses). */
static inline void full_joint(int kind, const double *stand, const double *p, double *joint)
{
    if (kind < FULL_SLOTS)
        for (int l = 0; l < FULL_LANES; ++l)
            joint[l] = stand[kind * FULL_LANES + l];
    else if (kind == FULL_BUST)
        for (int l = 0; l < FULL_LANES; ++l)
            joint[l] = -(1.0 - p[l]);
    else
        for (int l = 0; l < FULL_LANES; ++l)
            joint[l] = 1.0 - p[l];
}

/* Hand 2, the first having ended as a terminal with the cards `gone`: fills, by the second card of hand 2, what both
 * hands are worth from here (the first with one unit, and doubled), and the units wagered on hand 2.
 *
 * `shoes[h]` is the number of the shoe that lacks both hands, -1 if it cannot be; `stand` holds for each number what
 * the slots of totals win. `value` and `twice` are room for n hands each.
 */
MULTIVERSION static void full_second(const full_hands_t *g, const full_table_t *t, const uint8_t *gone, int n_gone,
                                     int kind, const int32_t *shoes, const double *stand,
                                     double (*restrict value)[FULL_LANES], double (*restrict twice)[FULL_LANES],
                                     double (*restrict one)[FULL_LANES], double (*restrict two)[FULL_LANES],
                                     double (*restrict units)[FULL_LANES])
{
    for (int h = 0; h < g->n; ++h) {
        const uint8_t *counts = g->counts + h * RANKS;
        const int32_t *next = g->next + h * RANKS;
        const int flags = g->flags[h], fitting = g->fitting[h], all_gone = n_gone + g->cards[h];
        const int second = g->second[h];
        const double *here = NULL;
        int taken[RANKS];
        double ways[FULL_LANES], p[FULL_LANES], joint[FULL_LANES], stands[FULL_LANES];
        double single[FULL_LANES], doubled[FULL_LANES], busted[FULL_LANES], best[FULL_LANES], bet[FULL_LANES];
        for (int r = 0; r < RANKS; ++r)
            taken[r] = gone[r] + counts[r];
        if (flags & FULL_NUMBERED) {
            if (shoes[h] < 0) {
                memset(value[h], 0, sizeof value[h]);
                memset(twice[h], 0, sizeof twice[h]);
                if (second >= 0) {
                    memset(one[second], 0, sizeof one[second]);
                    memset(two[second], 0, sizeof two[second]);
                    memset(units[second], 0, sizeof units[second]);
                }
                continue;
            }
            here = stand + (int64_t)shoes[h] * FULL_SLOTS * FULL_LANES;
        }
        full_hidden(t, taken, all_gone, ways, p);
        for (int l = 0; l < FULL_LANES; ++l)
            stands[l] = -1e9, joint[l] = 0.0;
        if (here) {
            full_joint(g->kind[h], here, p, joint);
            if (g->kind[h] == FULL_BLACKJACK)
                for (int l = 0; l < FULL_LANES; ++l)
                    stands[l] = t->pays * joint[l] + t->tied[l] * p[l];
            else if (flags & FULL_STANDS)
                for (int l = 0; l < FULL_LANES; ++l)
                    stands[l] = joint[l] - t->cost_1[l] * p[l];
            if (flags & FULL_DOUBLED)
                for (int l = 0; l < FULL_LANES; ++l)
                    twice[h][l] = 2.0 * joint[l] - t->cost_2[l] * p[l];
        }
        for (int l = 0; l < FULL_LANES; ++l)
            best[l] = value[h][l] = stands[l], bet[l] = 1.0;
        if ((flags & (FULL_DRAWS | FULL_DOUBLES)) && t->total - all_gone > t->reserved) {
            const double inverse = t->inverse[all_gone], after = t->inverse[all_gone + 1];
            for (int l = 0; l < FULL_LANES; ++l)
                single[l] = doubled[l] = busted[l] = 0.0;
            for (int r = 0; r < fitting; ++r)
                if (next[r] >= 0)
                    for (int l = 0; l < FULL_LANES; ++l)
                        single[l] += FULL_LEFT(r, taken[r]) * value[next[r]][l];
            if (fitting < RANKS) {
                /* After a bust a blackjack may still be hidden; of the cards that make one only a ten busts. */
                double last[FULL_LANES];
                for (int r = fitting; r < RANKS; ++r)
                    for (int l = 0; l < FULL_LANES; ++l)
                        busted[l] += last[l] = FULL_LEFT(r, taken[r]);
                for (int l = 0; l < FULL_LANES; ++l) {
                    const double caught = (busted[l] * ways[l] - last[l] * t->ten_hidden[l]) * after;
                    single[l] -= busted[l] - caught + t->cost_1[l] * caught;
                    doubled[l] -= 2.0 * (busted[l] - caught) + t->cost_2[l] * caught;
                }
            }
            if (flags & FULL_DRAWS)
                for (int l = 0; l < FULL_LANES; ++l) {
                    single[l] *= inverse;
                    best[l] = single[l] > best[l] + FULL_TIE ? single[l] : best[l];
                    value[h][l] = larger(value[h][l], single[l]);
                }
            if (flags & FULL_DOUBLES) {
                for (int r = 0; r < fitting; ++r)
                    if (next[r] >= 0)
                        for (int l = 0; l < FULL_LANES; ++l)
                            doubled[l] += FULL_LEFT(r, taken[r]) * twice[next[r]][l];
                for (int l = 0; l < FULL_LANES; ++l) {
                    doubled[l] *= inverse;
                    bet[l] = doubled[l] > best[l] + FULL_TIE ? 2.0 : 1.0;
                    value[h][l] = larger(value[h][l], doubled[l]);
                }
            }
        }
        if (second >= 0) {
            full_joint(kind, here, p, joint);
            for (int l = 0; l < FULL_LANES; ++l) {
                const double first = kind == FULL_BLACKJACK ? t->pays * joint[l] + t->tied[l] * p[l]
                                                            : joint[l] - t->cost_1[l] * p[l];
                one[second][l] = first + value[h][l];
                two[second][l] = 2.0 * joint[l] - t->cost_2[l] * p[l] + value[h][l];
                units[second][l] = bet[l] * (1.0 - t->peeks[l] * p[l]);
            }
        }
    }
}

/* The same for a hand 2 that gets its second card only now: averages over that card, into the first place of each. */
static void full_average(const full_table_t *t, const uint8_t *gone, int n_gone, int pair,
                         double (*restrict one)[FULL_LANES], double (*restrict two)[FULL_LANES],
                         double (*restrict units)[FULL_LANES])
{
    const double inverse = t->inverse[n_gone + 1];
    for (int l = 0; l < FULL_LANES; ++l) {
        double sums[3] = {0.0, 0.0, 0.0};
        for (int y = 0; y < RANKS; ++y) {
            const double weight = FULL_LEFT(y, gone[y] + (y == pair));
            sums[0] += weight * one[y][l];
            sums[1] += weight * two[y][l];
            sums[2] += weight * units[y][l];
        }
        one[0][l] = sums[0] * inverse;
        two[0][l] = sums[1] * inverse;
        units[0][l] = sums[2] * inverse;
    }
}

/* Hand 1, the cards `gone` of hand 2 being known: fills, by its second card, the value of both hands and the units
 * wagered on both. `one`, `two` and `units` hold for each terminal, `stride` places apart, what follows it. `value`
 * and `wager` are room for n hands each.
 */
MULTIVERSION static void full_first(const full_hands_t *g, const full_table_t *t, const uint8_t *gone, int n_gone,
                                    int stride, double (*restrict one)[FULL_LANES],
                                    double (*restrict two)[FULL_LANES], double (*restrict units)[FULL_LANES],
                                    double (*restrict value)[FULL_LANES], double (*restrict wager)[FULL_LANES],
                                    double (*restrict values)[FULL_LANES], double (*restrict wagers)[FULL_LANES])
{
    for (int h = 0; h < g->n; ++h) {
        const uint8_t *counts = g->counts + h * RANKS;
        const int flags = g->flags[h], fitting = g->fitting[h], all_gone = n_gone + g->cards[h];
        const int second = g->second[h];
        const int64_t end = (int64_t)g->terminal[h] * stride;
        const double inverse = t->inverse[all_gone];
        int taken[RANKS];
        double ways[FULL_LANES], p[FULL_LANES], best[FULL_LANES], bet[FULL_LANES];
        for (int r = 0; r < RANKS; ++r)
            taken[r] = gone[r] + counts[r];
        for (int l = 0; l < FULL_LANES; ++l) {
            bet[l] = 1.0;
            best[l] = value[h][l] = flags & FULL_STANDS ? one[end][l] : -1e9;
            wager[h][l] = flags & FULL_STANDS ? units[end][l] : 0.0;
        }
        if (t->total - all_gone > t->reserved) {
            for (int doubling = 0; doubling < 2; ++doubling) {
                double sum[FULL_LANES], sum_units[FULL_LANES];
                if (!(flags & (doubling ? FULL_DOUBLES : FULL_DRAWS)))
                    continue;
                for (int l = 0; l < FULL_LANES; ++l)
                    sum[l] = sum_units[l] = 0.0;
                for (int r = 0; r < RANKS; ++r) {
                    const int32_t to = r < fitting ? g->next[h * RANKS + r] : g->busts[h * RANKS + r];
                    const double *worth, *wagered;
                    if (to < 0)
                        continue;
                    if (r < fitting && !doubling) {
                        worth = value[to];
                        wagered = wager[to];
                    } else {
                        const int64_t place = (int64_t)(r < fitting ? g->terminal[to] : to) * stride;
                        worth = doubling ? two[place] : one[place];
                        wagered = units[place];
                    }
                    for (int l = 0; l < FULL_LANES; ++l) {
                        const double weight = FULL_LEFT(r, taken[r]);
                        sum[l] += weight * worth[l];
                        sum_units[l] += weight * wagered[l];
                    }
                }
                for (int l = 0; l < FULL_LANES; ++l) {
                    sum[l] *= inverse;
                    if (sum[l] > best[l] + FULL_TIE) {
                        best[l] = sum[l];
                        wager[h][l] = sum_units[l] * inverse;
                        bet[l] = doubling ? 2.0 : 1.0;
                    }
                    value[h][l] = larger(value[h][l], sum[l]);
                }
            }
        }
        if (second >= 0) {
            full_hidden(t, taken, all_gone, ways, p);
            for (int l = 0; l < FULL_LANES; ++l) {
                values[second][l] = value[h][l];
                wagers[second][l] = wager[h][l] + bet[l] * (1.0 - t->peeks[l] * p[l]);
            }
        }
    }
}

#endif
