# What a change of a chart's cell gains: included at the end of `_kernel.pyx`.
#
# Hands are walked before a split, and as hands of a split of one card with some more of it gone: each of these is a
# stage, numbered from 0, with a pair card and a number of further ones gone (0 before a split).


def hit_margins(HandGraph graph, const int32_t[::1] pairs, const int32_t[::1] extras, const int32_t[::1] wanted,
                const double[:, ::1] cards, const double[::1] inverse, int drawable, const uint8_t[:, ::1] may,
                const int32_t[::1] which, const uint8_t[:, ::1] plays, const double[:, :, ::1] others,
                const double[:, ::1] to_stand, double[:, ::1] out):
    """Fill `out[i, h]` with what hitting hand h and playing on is worth more than standing, for each stage i that is wanted.

    Args:
        graph: the hands.
        pairs: by stage, the pair card of the split.
        extras: by stage, how many of them are gone beside those in the hand; 0 before a split.
        wanted: the stages to fill.
        cards, inverse: see `dealer_probabilities`.
        drawable: how many cards of the shoe the player can draw, those in his hand and the extra ones among them.
        may: stages x hands: a set of actions, a sum of 1 << number.
        which: by stage, the play that is followed, of
        plays: for each hand of three cards or more, its action.
        others: actions after hitting x stages x hands: what they are worth more than standing. None of these actions is
            played where it is empty.
        to_stand: stages x hands, the margin where every hand stands after the hit.
        out: stages x hands; of hands that hold the pair card only.
    """
    cdef const int32_t[::1] listed
    cdef Py_ssize_t i, j
    cdef int stage, pair, extra, h, r, gone, next_h, action, followed
    cdef double margin, weight
    for i in range(wanted.shape[0]):
        stage = wanted[i]
        pair, extra, followed = pairs[stage], extras[stage], which[stage]
        listed = graph._holding[pair] if extra > 0 else graph._all
        with nogil:
            for j in range(listed.shape[0]):
                h = listed[j]
                if graph._cards[h] < 2:
                    continue
                margin = to_stand[stage, h]
                gone = graph._cards[h] + extra
                if may[stage, h] >> ACTION_HIT & 1 and gone < drawable:
                    for r in range(RANKS):
                        next_h = graph._next[h, r]
                        if next_h < 0:
                            break  # so do all higher cards
                        action = plays[followed, next_h]
                        if action != ACTION_STAND:
                            weight = cards[r, graph._counts[h, r] + (extra if r == pair else 0)] * inverse[gone]
                            if action == ACTION_HIT:
                                margin += weight * out[stage, next_h]
                            else:
                                margin += weight * others[action - ACTION_DOUBLE, stage, next_h]
                out[stage, h] = margin


def row_margins(HandGraph graph, const int32_t[::1] pairs, const int32_t[::1] extras, const int32_t[::1] wanted,
                const double[:, ::1] cards, const double[::1] inverse, int drawable, const uint8_t[:, ::1] may,
                const int32_t[::1] which, const uint8_t[:, ::1] plays, const double[:, :, ::1] others,
                const double[:, ::1] margins, const int32_t[::1] begin, const int32_t[::1] hands,
                const double[::1] hit, const double[::1] doubled, const int32_t[:, ::1] rows, double[::1] coming,
                double[:, ::1] out):
    """Add to `out[a, row]` what action a is worth more than standing with hands of three cards or more, as they are come to.

    Args beside those of `hit_margins`, whose `plays` and `others` go by states: by hands, then by hands doubled once ...:
        margins: as it fills them.
        begin: the two-card hands of stage i are `hands[begin[i]:begin[i + 1]]`.
        hands: hands of two cards; one may be there twice.
        hit: weights of each, 0 where it is not hit. They may be negative, as terms of a split are.
        doubled: the same of those that are doubled.
        rows: by play and state.
        coming: by state, room to work in.
        out: actions x rows; of hitting and of the others.
    """
    cdef const int32_t[::1] listed
    cdef Py_ssize_t i
    cdef int stage, pair, extra, state, h, j, a, gone, row, followed, level, size = graph.size
    cdef int levels = coming.shape[0] // size
    for i in range(wanted.shape[0]):
        stage = wanted[i]
        pair, extra, followed = pairs[stage], extras[stage], which[stage]
        listed = graph._holding[pair] if extra > 0 else graph._all
        with nogil:
            coming[:] = 0.0
            for j in range(begin[stage], begin[stage + 1]):
                coming[hands[j]] += hit[j]
                if doubled[j] != 0.0 and levels > 1:
                    _come(graph, cards, inverse, hands[j], pair, extra, drawable, doubled[j], coming, size)
            for level in range(levels):
                for j in range(listed.shape[0] - 1, -1, -1):
                    h = listed[j]
                    state = level * size + h
                    if coming[state] == 0.0:
                        continue
                    gone = graph._cards[h] + extra
                    if graph._cards[h] > 2:
                        row = rows[followed, state]
                        if level == 0:
                            out[ACTION_HIT, row] += coming[h] * margins[stage, h]
                        for a in range(others.shape[0]):
                            out[ACTION_DOUBLE + a, row] += coming[state] * others[a, stage, state]
                        if plays[followed, state] == ACTION_DOUBLE and level + 1 < levels:
                            _come(graph, cards, inverse, h, pair, extra, drawable, coming[state], coming,
                                  (level + 1) * size)
                        if plays[followed, state] != ACTION_HIT:
                            continue
                    if level == 0 and may[stage, h] >> ACTION_HIT & 1:
                        _come(graph, cards, inverse, h, pair, extra, drawable, coming[h], coming, 0)


cdef inline void _come(HandGraph graph, const double[:, ::1] cards, const double[::1] inverse, int h, int pair, int extra,
                       int drawable, double weight, double[::1] coming, int base) noexcept nogil:
    """Add a weight of a hand to those of the hands after one card more, in states from `base` on."""
    cdef int r, next_h, gone = graph._cards[h] + extra
    if gone >= drawable:
        return
    for r in range(RANKS):
        next_h = graph._next[h, r]
        if next_h < 0:
            break
        coming[base + next_h] += weight * (cards[r, graph._counts[h, r] + (extra if r == pair else 0)] * inverse[gone])
