/* The body of the sweep, for the number system and the number of starts that its includer in hand_sweep.h defines. */

/* Fill `to` with the cards left of the rank that makes each start's blackjack, `more` of them gone. */
static inline void SWEEP_HIDDEN(const sweep_t *s, const VEC *left, const uint8_t *counts, int more, NUM *to)
{
    for (int l = 0; l < s->n_starts; ++l) {
        const int r = s->bj_rank[l];
        const int gone = r < 0 ? 0 : counts[r] + (r == s->pair ? s->extra : 0) + more;
        to[l] = r < 0 ? 0 : ((const NUM *)(left + r * s->n_gone + gone))[l];
    }
}

SWEEP_TARGETS static void SWEEP_NAME(const sweep_t *s, const VEC *left, const VEC *inverse, const VEC *dealer,
                                     const NUM *pays, const VEC *blackjack, NUM unit, const field_t *field,
                                     uint8_t *play, VEC *const *rows)
{
    /* A vector and the numbers in it. */
    typedef union {
        VEC all;
        NUM each[WIDTH];
    } numbers_t;
    typedef union {
        MASK all;
        int64_t each[WIDTH];
    } masks_t;
    numbers_t units, peeked, hidden_0, hidden_1;
    masks_t bj_from[RANKS + 1], hits, doubles; /* whether the rank of a start's blackjack is this one or a later one */
    VEC *const stand = rows[ROW_STAND], *const hit = rows[ROW_HIT], *const doubled = rows[ROW_DOUBLE];
    VEC *const value = rows[ROW_VALUE], *const stand_2 = rows[ROW_STAND_2], *const more = rows[ROW_MORE];
    VEC *const hit_more = rows[ROW_HIT_MORE];
    VEC one, zero;
    const NUM lost = pays[s->bust * (1 + s->n_outcomes)];
    const VEC *caught = blackjack + 2 * s->bust;
    (void)field;
    for (int l = 0; l < WIDTH; ++l) {
        units.each[l] = unit;
        hidden_0.each[l] = hidden_1.each[l] = 0;
        peeked.each[l] = s->peeks[l] ? unit : 0;
        for (int r = 0; r <= RANKS; ++r)
            bj_from[r].each[l] = s->bj_rank[l] >= r ? -1 : 0;
    }
    one = units.all, zero = SUB(one, one);
    for (int i = 0; i < s->n_listed; ++i) {
        const int h = s->listed[i], gone = s->cards[h] + s->extra, kind = s->kinds[h], may = s->may[h];
        const uint8_t *counts = s->counts + (int64_t)h * RANKS;
        const int32_t *next = s->next + (int64_t)h * RANKS;
        const VEC *odds = dealer + (int64_t)s->rows[h] * s->n_outcomes;
        const NUM *nets = pays + kind * (1 + s->n_outcomes);
        VEC p_bj = zero, joint, raised = one, here, here_2, single, twice, later = zero, bust = zero;
        /* Standing, jointly with "no dealer blackjack": what it nets if he busts, and the difference at his totals. */
        if (s->hidden) {
            SWEEP_HIDDEN(s, left, counts, 0, hidden_0.each);
            p_bj = MUL(hidden_0.all, inverse[gone]);
            raised = SUB(one, MUL(peeked.all, p_bj));
            joint = MUL(SUB(one, p_bj), nets[0]);
        } else
            joint = MUL(one, nets[0]);
        for (int t = 0; t < s->n_terms[kind]; ++t) {
            const int o = s->terms[kind][t];
            joint = ADD(joint, MUL(odds[o], nets[1 + o]));
        }
        here = joint, here_2 = ADD(joint, joint);
        if (s->hidden) {
            here = ADD(here, MUL(blackjack[2 * kind], p_bj));
            here_2 = ADD(here_2, MUL(blackjack[2 * kind + 1], p_bj));
        }
        stand_2[h] = here_2;
        if (!(may & (1 << ACTION_HIT | 1 << ACTION_DOUBLE))) {
            value[h] = here;
            more[h] = zero;
            if (stand)
                stand[h] = here, hit[h] = here, doubled[h] = here_2;
            if (hit_more)
                hit_more[h] = zero;
            for (int l = 0; l < WIDTH; ++l)
                play[(int64_t)h * WIDTH + l] = ACTION_STAND;
            continue;
        }
        /* Drawing one card. */
        if (s->shoe - gone <= s->reserved) {
            single = here, twice = here_2;
        } else {
            int r = 0;
            single = zero, twice = zero;
            for (; r < RANKS && next[r] >= 0; ++r) {
                const VEC cards = left[r * s->n_gone + counts[r] + (r == s->pair ? s->extra : 0)];
                single = ADD(single, MUL(cards, value[next[r]]));
                if (may & 1 << ACTION_DOUBLE)
                    twice = ADD(twice, MUL(cards, stand_2[next[r]]));
                if (s->later)
                    later = ADD(later, MUL(cards, more[next[r]]));
            }
            if (s->hidden)
                SWEEP_HIDDEN(s, left, counts, 1, hidden_1.each);
            const int first = r;
            for (; r < RANKS; ++r)
                bust = ADD(bust, left[r * s->n_gone + counts[r] + (r == s->pair ? s->extra : 0)]);
            if (s->hidden) {
                /* What a bust nets; but to a blackjack found later only what that takes. The card that busts may be of
                 * the rank that makes it. */
                const VEC p_0 = MUL(hidden_0.all, inverse[gone + 1]), p_1 = MUL(hidden_1.all, inverse[gone + 1]);
                const VEC rest_0 = MUL(SUB(one, p_0), lost), rest_1 = MUL(SUB(one, p_1), lost);
                const VEC own = SELECT(bj_from[first].all, hidden_0.all, zero), others = SUB(bust, own);
                const VEC net_0 = ADD(rest_0, MUL(caught[0], p_0)), net_1 = ADD(rest_1, MUL(caught[0], p_1));
                single = ADD(single, ADD(MUL(others, net_0), MUL(own, net_1)));
                if (may & 1 << ACTION_DOUBLE) {
                    const VEC both_0 = ADD(ADD(rest_0, rest_0), MUL(caught[1], p_0));
                    const VEC both_1 = ADD(ADD(rest_1, rest_1), MUL(caught[1], p_1));
                    twice = ADD(twice, ADD(MUL(others, both_0), MUL(own, both_1)));
                }
            } else {
                bust = MUL(bust, lost);
                single = ADD(single, bust);
                twice = ADD(twice, ADD(bust, bust));
            }
            single = MUL(single, inverse[gone]);
            twice = MUL(twice, inverse[gone]);
            later = MUL(later, inverse[gone]);
        }
        if (stand)
            stand[h] = here, hit[h] = single, doubled[h] = twice;
        if (hit_more)
            hit_more[h] = later;
        if (s->optimise) {
            VEC best = here;
            for (int l = 0; l < WIDTH; ++l)
                hits.each[l] = doubles.each[l] = 0;
            value[h] = here;
            if (may & 1 << ACTION_HIT) {
                hits.all = LARGER(single, best + TIED_WITHIN);
                best = SELECT(hits.all, single, best);
                value[h] = SELECT(LARGER(single, value[h]), single, value[h]);
            }
            if (may & 1 << ACTION_DOUBLE) {
                doubles.all = LARGER(twice, best + TIED_WITHIN);
                value[h] = SELECT(LARGER(twice, value[h]), twice, value[h]);
            }
            for (int l = 0; l < WIDTH; ++l)
                play[(int64_t)h * WIDTH + l] = doubles.each[l] ? ACTION_DOUBLE : hits.each[l] ? ACTION_HIT : ACTION_STAND;
        } else {
            for (int l = 0; l < WIDTH; ++l) {
                hits.each[l] = play[(int64_t)h * WIDTH + l] == ACTION_HIT ? -1 : 0;
                doubles.each[l] = play[(int64_t)h * WIDTH + l] == ACTION_DOUBLE ? -1 : 0;
            }
            value[h] = SELECT(hits.all, single, SELECT(doubles.all, twice, here));
        }
        more[h] = SELECT(doubles.all, raised, SELECT(hits.all, later, zero));
    }
}
