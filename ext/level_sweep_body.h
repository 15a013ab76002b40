/* The sweep where a doubled hand has something left to decide, nets otherwise than before, or has a wager of more than
 * two units, and where hands may be given up: included by hand_sweep_body.h.
 *
 * A hand is at a level by the money on it: not doubled, doubled once and so on, or with free money; what is told of it
 * stands `size` places after what is told of the hand at the level before. A double leads to a hand of one card more, at
 * a level of its own, and so to what is known already.
 */

/* Return the average, over the next card, of what is in a row where that card does not bust, else of 0. */
static inline VEC DRAW_NAME(const VEC *cards, const int32_t *next, VEC inverse, VEC zero, const NUM *row,
                            const field_t *field)
{
    VEC sum = zero;
    (void)field;
    for (int r = 0; r < RANKS && next[r] >= 0; ++r)
        sum = ADD(sum, MUL(cards[r], AT(row, next[r])));
    return MUL(sum, inverse);
}

static void LEVELS_NAME(const sweep_t *s, int first, const NUM *left, const NUM *inverse, const NUM *dealer,
                        const NUM *pays, const NUM *blackjack, const NUM *given, const NUM *wagers, NUM unit,
                        const field_t *field, uint8_t *play, NUM *const *rows)
{
    typedef union {
        VEC all;
        NUM each[WIDTH];
    } numbers_t;
    typedef union {
        MASK all;
        int64_t each[WIDTH];
    } masks_t;
    numbers_t units, peeked;
    masks_t bj_from[RANKS + 1], offered[MOST_LEVELS];
    VEC one, zero;
    NUM beyond[MOST_LEVELS]; /* the units of a level beyond the first, */
    NUM lost[MOST_LEVELS];   /* and what a hand that busts there nets, */
    VEC caught[MOST_LEVELS]; /* or against a hidden blackjack */
    const NUM *const owned = wagers + s->levels;
    (void)field;
    for (int l = 0; l < WIDTH; ++l) {
        units.each[l] = unit;
        peeked.each[l] = s->peeks[first + l] ? unit : 0;
        for (int r = 0; r <= RANKS; ++r)
            bj_from[r].each[l] = s->bj_rank[first + l] >= r ? -1 : 0;
        for (int level = 0; level < s->levels; ++level)
            offered[level].each[l] = s->offered[level][first + l] ? -1 : 0;
    }
    one = units.all, zero = SUB(one, one);
    const MASK none = bj_from[0].all ^ bj_from[0].all;
    for (int level = 0; level < s->levels; ++level) {
        const int bust = s->busts[level];
        const VEC met = AT(blackjack, 2 * bust);
        beyond[level] = SUB(wagers[level], unit);
        lost[level] = MUL(pays[bust * (1 + s->n_outcomes)], wagers[level]);
        caught[level] = ADD(met, MUL(SUB(AT(blackjack, 2 * bust + 1), met), beyond[level]));
    }
    for (int i = 0; i < s->n_listed; ++i) {
        const int h = s->listed[i], gone = s->cards[h] + s->extra;
        const uint8_t *counts = s->counts + (int64_t)h * RANKS;
        const int32_t *next = s->next + (int64_t)h * RANKS;
        const NUM *odds = dealer + (int64_t)s->rows[h] * s->n_outcomes * STEP;
        const int draws = s->shoe - gone > s->reserved;
        VEC hidden_0 = zero, hidden_1 = zero, p_bj = zero, own = zero, others = zero, p_0 = zero, p_1 = zero;
        VEC cards[RANKS];
        int busting = 0;
        AHEAD_NAME(s, i, dealer);
        while (busting < RANKS && next[busting] >= 0)
            ++busting;
        if (s->hidden) {
            hidden_0 = SWEEP_HIDDEN(s, left, counts, 0, zero, bj_from[0].all, bj_from[RANKS - 1].all);
            p_bj = MUL(hidden_0, AT(inverse, gone));
        }
        const VEC alive = SUB(one, p_bj), raised = SUB(one, MUL(peeked.all, p_bj));
        if (draws) {
            /* The cards that bust; one may be of the rank that makes a hidden blackjack. */
            for (int r = 0; r < RANKS; ++r)
                cards[r] = AT(left, r * s->n_gone + counts[r] + (r == s->pair ? s->extra : 0));
            for (int r = busting; r < RANKS; ++r)
                others = ADD(others, cards[r]);
            if (s->hidden) {
                hidden_1 = SWEEP_HIDDEN(s, left, counts, 1, zero, bj_from[0].all, bj_from[RANKS - 1].all);
                own = SELECT(bj_from[busting].all, hidden_0, zero);
                others = SUB(others, own);
                p_0 = MUL(hidden_0, AT(inverse, gone + 1)), p_1 = MUL(hidden_1, AT(inverse, gone + 1));
            }
        }
        for (int level = s->levels - 1; level >= 0; --level) {
            const int64_t at = (int64_t)level * s->size, state = at + h;
            const int asked = s->asked ? s->asked[state] : -1, kind = s->kinds[state], may = s->may[state] & asked;
            const int doubled = s->doubled[level][s->free[h]];
            if (!asked)
                continue;
            const NUM *nets = pays + kind * (1 + s->n_outcomes);
            uint8_t *const actions = play + state * STEP;
            MASK hits = none, doubles = none, gives = none;
            VEC here = MUL(alive, nets[0]), drawn[2], more_hit = zero, more_double = zero;
            for (int t = 0; asked >> ACTION_STAND & 1 && t < s->n_terms[kind]; ++t) {
                const int o = s->terms[kind][t];
                here = ADD(here, MUL(AT(odds, o), nets[1 + o]));
            }
            const VEC joint = here, met_1 = AT(blackjack, 2 * kind), met_more = SUB(AT(blackjack, 2 * kind + 1), met_1);
            here = MUL(joint, wagers[level]);
            if (s->hidden)
                here = ADD(here, MUL(ADD(met_1, MUL(met_more, beyond[level])), p_bj));
            if (!(may & (1 << ACTION_HIT | 1 << ACTION_DOUBLE | 1 << ACTION_SURRENDER))) {
                AT(rows[ROW_VALUE], state) = here, AT(rows[ROW_MORE], state) = zero;
                if (rows[ROW_STAND]) {
                    AT(rows[ROW_STAND], state) = AT(rows[ROW_HIT], state) = AT(rows[ROW_DOUBLE], state) = here;
                    AT(rows[ROW_GIVEN], state) = here;
                    AT(rows[ROW_HIT_MORE], state) = AT(rows[ROW_DOUBLE_MORE], state) = zero;
                }
                if (!s->asked)
                    TO_BYTES(actions, none);
                continue;
            }
            /* To hit stays at the level, to double leads to the next one. */
            for (int doubling = 0; doubling < 2; ++doubling) {
                const int to = doubling ? doubled : level;
                const int64_t next_at = (int64_t)to * s->size * STEP;
                drawn[doubling] = here;
                if (!(may >> (doubling ? ACTION_DOUBLE : ACTION_HIT) & 1))
                    continue;
                if (!draws) {
                    drawn[doubling] = MUL(joint, wagers[to]);
                    if (s->hidden)
                        drawn[doubling] = ADD(drawn[doubling], MUL(ADD(met_1, MUL(met_more, beyond[to])), p_bj));
                    continue;
                }
                VEC bust = MUL(others, lost[to]);
                if (s->hidden)
                    bust = ADD(MUL(others, ADD(MUL(SUB(one, p_0), lost[to]), MUL(caught[to], p_0))),
                               MUL(own, ADD(MUL(SUB(one, p_1), lost[to]), MUL(caught[to], p_1))));
                drawn[doubling] = ADD(DRAW_NAME(cards, next, AT(inverse, gone), zero, rows[ROW_VALUE] + next_at, field),
                                      MUL(bust, AT(inverse, gone)));
                if (s->adds[to])
                    *(doubling ? &more_double : &more_hit) =
                        DRAW_NAME(cards, next, AT(inverse, gone), zero, rows[ROW_MORE] + next_at, field);
            }
            if (may >> ACTION_DOUBLE & 1)
                more_double = ADD(more_double, MUL(raised, SUB(owned[doubled], owned[level])));
            VEC back = here;
            if (may >> ACTION_SURRENDER & 1)
                back = SELECT(offered[level].all,
                              ADD(MUL(alive, AT(given, 2 * level)), MUL(AT(given, 2 * level + 1), p_bj)), here);
            if (rows[ROW_STAND]) {
                AT(rows[ROW_STAND], state) = here, AT(rows[ROW_GIVEN], state) = back;
                AT(rows[ROW_HIT], state) = drawn[0], AT(rows[ROW_DOUBLE], state) = drawn[1];
                AT(rows[ROW_HIT_MORE], state) = more_hit, AT(rows[ROW_DOUBLE_MORE], state) = more_double;
            }
            if (s->optimise) {
                VEC best = here, value = here;
                if (may >> ACTION_HIT & 1) {
                    hits = LARGER(drawn[0], best + TIED_WITHIN);
                    best = SELECT(hits, drawn[0], best);
                    value = SELECT(LARGER(drawn[0], value), drawn[0], value);
                }
                if (may >> ACTION_DOUBLE & 1) {
                    doubles = LARGER(drawn[1], best + TIED_WITHIN);
                    best = SELECT(doubles, drawn[1], best);
                    value = SELECT(LARGER(drawn[1], value), drawn[1], value);
                }
                if (may >> ACTION_SURRENDER & 1) {
                    gives = LARGER(back, best + TIED_WITHIN) & offered[level].all;
                    value = SELECT(LARGER(back, value), back, value);
                }
                AT(rows[ROW_VALUE], state) = value;
                TO_BYTES(actions, CHOSEN(hits, doubles, gives));
            } else {
                const MASK chosen = BYTES(actions);
                hits = EQUAL(chosen, ACTION_HIT), doubles = EQUAL(chosen, ACTION_DOUBLE);
                gives = EQUAL(chosen, ACTION_SURRENDER);
                AT(rows[ROW_VALUE], state) =
                    SELECT(hits, drawn[0], SELECT(doubles, drawn[1], SELECT(gives, back, here)));
            }
            AT(rows[ROW_MORE], state) =
                SELECT(gives, zero, SELECT(doubles, more_double, SELECT(hits, more_hit, zero)));
        }
    }
}
