/* The body of the sweep, for the number system and the number of starts that its includer in hand_sweep.h defines:
 * WIDTH of them, of STEP that lie side by side. */

/* Of an array of rows of STEP numbers, what of row i belongs to these starts. */
#undef AT
#define AT(rows, i) (*(VEC *)((rows) + (int64_t)(i) * STEP))

/* Fill `to` with the cards left of the rank that makes each start's blackjack, `more` of them gone. */
static inline void SWEEP_HIDDEN(const sweep_t *s, int first, const NUM *left, const uint8_t *counts, int more, NUM *to)
{
    for (int l = 0; l < WIDTH && first + l < s->n_starts; ++l) {
        const int r = s->bj_rank[first + l];
        const int gone = r < 0 ? 0 : counts[r] + (r == s->pair ? s->extra : 0) + more;
        to[l] = r < 0 ? 0 : left[(r * s->n_gone + gone) * STEP + l];
    }
}

static void SWEEP_NAME(const sweep_t *s, int first, const NUM *left, const NUM *inverse, const NUM *dealer, NUM unit,
                       const field_t *field, uint8_t *play, NUM *stand, NUM *hit, NUM *doubled, NUM *value,
                       NUM *stand_2)
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
    numbers_t cost_1, cost_2, units, hidden_0, hidden_1;
    masks_t bj_from[RANKS + 1], hits, doubles; /* whether the rank of a start's blackjack is this one or a later one */
    VEC one, zero;
    (void)field;
    for (int l = 0; l < WIDTH; ++l) {
        units.each[l] = unit;
        hidden_0.each[l] = hidden_1.each[l] = 0;
        cost_1.each[l] = TIMES(s->bj_cost_1[first + l], unit);
        cost_2.each[l] = TIMES(s->bj_cost_2[first + l], unit);
        for (int r = 0; r <= RANKS; ++r)
            bj_from[r].each[l] = s->bj_rank[first + l] >= r ? -1 : 0;
    }
    one = units.all, zero = SUB(one, one);
    for (int i = 0; i < s->n_listed; ++i) {
        const int h = s->listed[i], n = s->cards[h], gone = n + s->extra, total = s->total[h];
        const uint8_t *counts = s->counts + (int64_t)h * RANKS;
        const int32_t *next = s->next + (int64_t)h * RANKS;
        const NUM *odds = dealer + (int64_t)s->rows[h] * OUTCOMES * STEP;
        const int finished = s->charlie > 0 && n >= s->charlie;
        VEC p_bj = zero, joint = one, here, here_2, single, twice, bust = zero;
        if (s->hidden) {
            SWEEP_HIDDEN(s, first, left, counts, 0, hidden_0.each);
            p_bj = MUL(hidden_0.all, AT(inverse, gone));
            joint = SUB(joint, p_bj);
        }
        /* Standing, jointly with "no dealer blackjack": a unit won, less two for each dealer total that beats
         * this hand, less one or two for a tie. */
        if (!finished) {
            const int k = total >= 17 ? total - 17 : -1;
            for (int o = k + 1; o < OUTCOMES; ++o)
                joint = SUB(joint, ADD(AT(odds, o), AT(odds, o)));
            if (k >= 0) {
                const VEC tie = AT(odds, k);
                joint = SUB(joint, s->tie_cost[k + 1] == 2 ? ADD(tie, tie) : tie);
            }
        }
        here = joint, here_2 = ADD(joint, joint);
        if (s->hidden) {
            here = SUB(here, MUL(cost_1.all, p_bj));
            here_2 = SUB(here_2, MUL(cost_2.all, p_bj));
        }
        AT(stand_2, h) = here_2;
        if (finished || (total == 21 && !(s->charlie > 0 && s->soft[h]))) {
            AT(value, h) = here;
            if (stand)
                AT(stand, h) = here, AT(hit, h) = here, AT(doubled, h) = here_2;
            for (int l = 0; l < WIDTH; ++l)
                play[(int64_t)h * STEP + l] = SWEEP_STAND;
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
                single = ADD(single, MUL(cards, AT(value, next[r])));
                if (n == 2)
                    twice = ADD(twice, MUL(cards, AT(stand_2, next[r])));
            }
            if (s->hidden)
                SWEEP_HIDDEN(s, first, left, counts, 1, hidden_1.each);
            const int busting = r;
            for (; r < RANKS; ++r)
                bust = ADD(bust, AT(left, r * s->n_gone + counts[r] + (r == s->pair ? s->extra : 0)));
            if (s->hidden) {
                /* A busted unit is lost, but to a blackjack found later only what that takes; the card that busts may
                 * be of the rank that makes it. */
                const VEC p_0 = MUL(hidden_0.all, AT(inverse, gone + 1)), p_1 = MUL(hidden_1.all, AT(inverse, gone + 1));
                const VEC rest_0 = SUB(one, p_0), rest_1 = SUB(one, p_1);
                const VEC own = SELECT(bj_from[busting].all, hidden_0.all, zero), others = SUB(bust, own);
                const VEC lost_0 = ADD(rest_0, MUL(cost_1.all, p_0)), lost_1 = ADD(rest_1, MUL(cost_1.all, p_1));
                single = SUB(single, ADD(MUL(others, lost_0), MUL(own, lost_1)));
                if (n == 2) {
                    const VEC both_0 = ADD(ADD(rest_0, rest_0), MUL(cost_2.all, p_0));
                    const VEC both_1 = ADD(ADD(rest_1, rest_1), MUL(cost_2.all, p_1));
                    twice = SUB(twice, ADD(MUL(others, both_0), MUL(own, both_1)));
                }
            } else {
                single = SUB(single, bust);
                twice = SUB(twice, ADD(bust, bust));
            }
            single = MUL(single, AT(inverse, gone));
            twice = n == 2 ? MUL(twice, AT(inverse, gone)) : zero;
        }
        if (stand)
            AT(stand, h) = here, AT(hit, h) = single, AT(doubled, h) = twice;
        if (s->optimise) {
            VEC best = here;
            for (int l = 0; l < WIDTH; ++l)
                hits.each[l] = doubles.each[l] = 0;
            AT(value, h) = here;
            if (n != 2 || s->draws) {
                hits.all = LARGER(single, best + TIED_WITHIN);
                best = SELECT(hits.all, single, best);
                AT(value, h) = SELECT(LARGER(single, AT(value, h)), single, AT(value, h));
            }
            if (n == 2 && s->may_double[h]) {
                doubles.all = LARGER(twice, best + TIED_WITHIN);
                AT(value, h) = SELECT(LARGER(twice, AT(value, h)), twice, AT(value, h));
            }
            for (int l = 0; l < WIDTH; ++l)
                play[(int64_t)h * STEP + l] = doubles.each[l] ? SWEEP_DOUBLE : hits.each[l] ? SWEEP_HIT : SWEEP_STAND;
        } else {
            for (int l = 0; l < WIDTH; ++l) {
                hits.each[l] = play[(int64_t)h * STEP + l] == SWEEP_HIT ? -1 : 0;
                doubles.each[l] = play[(int64_t)h * STEP + l] == SWEEP_DOUBLE ? -1 : 0;
            }
            AT(value, h) = SELECT(hits.all, single, SELECT(doubles.all, twice, here));
        }
    }
}
