/* The body of the sweep, for the number system and the number of starts that its includer in hand_sweep.h defines:
 * WIDTH of them, of STEP that lie side by side. */

/* Of an array of rows of STEP numbers, what of row i belongs to these starts. */
#undef AT
#define AT(rows, i) (*(VEC *)((rows) + (int64_t)(i) * STEP))

/* What was chosen where these actions were, the last of them that is. */
#undef CHOSEN
#define CHOSEN(hits, doubles, gives)                                                                                  \
    (((gives)&ACTION_SURRENDER) | (~(gives) & (((doubles)&ACTION_DOUBLE) | (~(doubles) & (hits)&ACTION_HIT))))

/* Return the cards left of the rank that makes each start's blackjack, `more` of them gone. */
static inline VEC SWEEP_HIDDEN(const sweep_t *s, const NUM *left, const uint8_t *counts, int more, VEC zero,
                               MASK ace, MASK ten)
{
    const int aces = counts[0] + (s->pair ? 0 : s->extra) + more, last = RANKS - 1;
    const int tens = counts[last] + (s->pair == last ? s->extra : 0) + more;
    return SELECT(ten, AT(left, last * s->n_gone + tens), SELECT(ace, AT(left, aces), zero));
}

/* Send for the dealer's probabilities of a hand that comes soon: they lie far apart. */
static inline void AHEAD_NAME(const sweep_t *s, int i, const NUM *dealer)
{
    const int ahead = i + HANDS_AHEAD < s->n_listed ? s->listed[i + HANDS_AHEAD] : -1;
    int asked = s->asked ? s->asked[ahead < 0 ? 0 : ahead] : 1 << ACTION_STAND;
    for (int level = 1; s->asked && level < s->levels && ahead >= 0; ++level)
        asked |= s->asked[(int64_t)level * s->size + ahead];
    for (int o = 0; o < s->n_outcomes && ahead >= 0 && asked >> ACTION_STAND & 1; ++o)
        PREFETCH(dealer + ((int64_t)s->rows[ahead] * s->n_outcomes + o) * STEP);
}

#include "level_sweep_body.h"

static void SWEEP_NAME(const sweep_t *s, int first, const NUM *left, const NUM *inverse, const NUM *dealer,
                       const NUM *pays, const NUM *blackjack, const NUM *given, const NUM *wagers, NUM unit,
                       const field_t *field, uint8_t *play, NUM *const *rows)
{
    if (s->levels) {
        LEVELS_NAME(s, first, left, inverse, dealer, pays, blackjack, given, wagers, unit, field, play, rows);
        return;
    }
    /* A vector and the numbers in it. */
    typedef union {
        VEC all;
        NUM each[WIDTH];
    } numbers_t;
    typedef union {
        MASK all;
        int64_t each[WIDTH];
    } masks_t;
    numbers_t units, peeked;
    masks_t bj_from[RANKS + 1]; /* whether the rank of a start's blackjack is this one or a later one */
    NUM *const stand = rows[ROW_STAND], *const hit = rows[ROW_HIT], *const doubled = rows[ROW_DOUBLE];
    NUM *const value = rows[ROW_VALUE], *const stand_2 = rows[ROW_STAND_2], *const more = rows[ROW_MORE];
    NUM *const hit_more = rows[ROW_HIT_MORE];
    VEC one, zero;
    const NUM lost = pays[s->bust * (1 + s->n_outcomes)];
    const VEC caught_1 = AT(blackjack, 2 * s->bust), caught_2 = AT(blackjack, 2 * s->bust + 1);
    (void)field;
    for (int l = 0; l < WIDTH; ++l) {
        units.each[l] = unit;
        peeked.each[l] = s->peeks[first + l] ? unit : 0;
        for (int r = 0; r <= RANKS; ++r)
            bj_from[r].each[l] = s->bj_rank[first + l] >= r ? -1 : 0;
    }
    one = units.all, zero = SUB(one, one);
    const MASK none = bj_from[0].all ^ bj_from[0].all;
    for (int i = 0; i < s->n_listed; ++i) {
        const int h = s->listed[i], gone = s->cards[h] + s->extra, kind = s->kinds[h];
        const int may = s->asked ? s->asked[h] : s->may[h];
        const int stands = !s->asked || may >> ACTION_STAND & 1, draws_on = !s->asked || may >> ACTION_HIT & 1;
        const uint8_t *counts = s->counts + (int64_t)h * RANKS;
        const int32_t *next = s->next + (int64_t)h * RANKS;
        const NUM *odds = dealer + (int64_t)s->rows[h] * s->n_outcomes * STEP;
        const NUM *nets = pays + kind * (1 + s->n_outcomes);
        uint8_t *const actions = play + (int64_t)h * STEP;
        AHEAD_NAME(s, i, dealer);
        VEC hidden_0 = zero, hidden_1 = zero, p_bj = zero, joint = zero, raised = one, later = zero, bust = zero;
        VEC here, here_2, single, twice;
        /* Standing, jointly with "no dealer blackjack": what it nets if he busts, and the difference at his totals. */
        if (s->hidden) {
            hidden_0 = SWEEP_HIDDEN(s, left, counts, 0, zero, bj_from[0].all, bj_from[RANKS - 1].all);
            p_bj = MUL(hidden_0, AT(inverse, gone));
            raised = SUB(one, MUL(peeked.all, p_bj));
            joint = MUL(SUB(one, p_bj), nets[0]);
        } else
            joint = MUL(one, nets[0]);
        for (int t = 0; stands && t < s->n_terms[kind]; ++t) {
            const int o = s->terms[kind][t];
            joint = ADD(joint, MUL(AT(odds, o), nets[1 + o]));
        }
        here = joint, here_2 = ADD(joint, joint);
        if (s->hidden) {
            here = ADD(here, MUL(AT(blackjack, 2 * kind), p_bj));
            here_2 = ADD(here_2, MUL(AT(blackjack, 2 * kind + 1), p_bj));
        }
        AT(stand_2, h) = here_2;
        if (!(may & (1 << ACTION_HIT | 1 << ACTION_DOUBLE))) {
            AT(value, h) = here;
            AT(more, h) = zero;
            if (stand)
                AT(stand, h) = here, AT(hit, h) = here, AT(doubled, h) = here_2;
            if (hit_more)
                AT(hit_more, h) = zero;
            if (!s->asked)
                TO_BYTES(actions, none);
            continue;
        }
        /* Drawing one card. */
        if (s->shoe - gone <= s->reserved) {
            single = here, twice = here_2;
        } else {
            int r = 0;
            single = zero, twice = zero;
            for (; r < RANKS && next[r] >= 0; ++r) {
                const VEC cards = AT(left, r * s->n_gone + counts[r] + (r == s->pair ? s->extra : 0));
                if (draws_on)
                    single = ADD(single, MUL(cards, AT(value, next[r])));
                if (may & 1 << ACTION_DOUBLE)
                    twice = ADD(twice, MUL(cards, AT(stand_2, next[r])));
                if (s->later && draws_on)
                    later = ADD(later, MUL(cards, AT(more, next[r])));
            }
            if (s->hidden)
                hidden_1 = SWEEP_HIDDEN(s, left, counts, 1, zero, bj_from[0].all, bj_from[RANKS - 1].all);
            const int busting = r;
            for (; r < RANKS; ++r)
                bust = ADD(bust, AT(left, r * s->n_gone + counts[r] + (r == s->pair ? s->extra : 0)));
            if (s->hidden) {
                /* What a bust nets; but to a blackjack found later only what that takes. The card that busts may be of
                 * the rank that makes it. */
                const VEC p_0 = MUL(hidden_0, AT(inverse, gone + 1)), p_1 = MUL(hidden_1, AT(inverse, gone + 1));
                const VEC rest_0 = MUL(SUB(one, p_0), lost), rest_1 = MUL(SUB(one, p_1), lost);
                const VEC own = SELECT(bj_from[busting].all, hidden_0, zero), others = SUB(bust, own);
                const VEC net_0 = ADD(rest_0, MUL(caught_1, p_0)), net_1 = ADD(rest_1, MUL(caught_1, p_1));
                single = ADD(single, ADD(MUL(others, net_0), MUL(own, net_1)));
                if (may & 1 << ACTION_DOUBLE) {
                    const VEC both_0 = ADD(ADD(rest_0, rest_0), MUL(caught_2, p_0));
                    const VEC both_1 = ADD(ADD(rest_1, rest_1), MUL(caught_2, p_1));
                    twice = ADD(twice, ADD(MUL(others, both_0), MUL(own, both_1)));
                }
            } else {
                bust = MUL(bust, lost);
                single = ADD(single, bust);
                twice = ADD(twice, ADD(bust, bust));
            }
            single = MUL(single, AT(inverse, gone));
            twice = MUL(twice, AT(inverse, gone));
            later = MUL(later, AT(inverse, gone));
        }
        if (stand)
            AT(stand, h) = here, AT(hit, h) = single, AT(doubled, h) = twice;
        if (hit_more)
            AT(hit_more, h) = later;
        MASK hits = none, doubles = none;
        if (s->optimise) {
            VEC best = here;
            AT(value, h) = here;
            if (may & 1 << ACTION_HIT) {
                hits = LARGER(single, best + TIED_WITHIN);
                best = SELECT(hits, single, best);
                AT(value, h) = SELECT(LARGER(single, AT(value, h)), single, AT(value, h));
            }
            if (may & 1 << ACTION_DOUBLE) {
                doubles = LARGER(twice, best + TIED_WITHIN);
                AT(value, h) = SELECT(LARGER(twice, AT(value, h)), twice, AT(value, h));
            }
            TO_BYTES(actions, CHOSEN(hits, doubles, none));
        } else {
            hits = EQUAL(BYTES(actions), ACTION_HIT), doubles = EQUAL(BYTES(actions), ACTION_DOUBLE);
            AT(value, h) = SELECT(hits, single, SELECT(doubles, twice, here));
        }
        AT(more, h) = SELECT(doubles, raised, SELECT(hits, later, zero));
    }
}
