# distutils: language = c
"""The compiled kernel: every loop over hands or shoes.

Numbers in, numbers out: rules arrive as plain integers, hands as indexes into the hand graph, shoes as counts. Two
number systems share the code: doubles, and residues modulo a prime in Montgomery form.
"""

from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free, realloc

cdef extern from "dealer_pass.h" nogil:
    enum: LANES
    enum: RANKS
    enum: OUTCOMES
    enum: MAX_DRAWS
    ctypedef struct field_t:
        uint64_t modulus
        uint64_t negative_inverse
        uint64_t one
    ctypedef struct node_t:
        uint8_t depth
        uint8_t rank
        uint8_t already
        int8_t outcome
    uint64_t add_residue(uint64_t a, uint64_t b, const field_t *f)
    uint64_t sub_residue(uint64_t a, uint64_t b, const field_t *f)
    uint64_t mul_residue(uint64_t a, uint64_t b, const field_t *f)
    void dealer_pass_double(const node_t *nodes, const double *orders, int n_nodes, int max_depth,
                            double (*counts)[LANES], double (*scale)[LANES], const double *small,
                            const field_t *field, double (*out)[LANES])
    void dealer_pass_residue(const node_t *nodes, const uint64_t *orders, int n_nodes, int max_depth,
                             uint64_t (*counts)[LANES], uint64_t (*scale)[LANES], const uint64_t *small,
                             const field_t *field, uint64_t (*out)[LANES])

ctypedef fused num:
    double
    uint64_t


cdef inline num add(num a, num b, const field_t *f) noexcept nogil:
    if num is double:
        return a + b
    else:
        return add_residue(a, b, f)


cdef inline num sub(num a, num b, const field_t *f) noexcept nogil:
    if num is double:
        return a - b
    else:
        return sub_residue(a, b, f)


cdef inline num mul(num a, num b, const field_t *f) noexcept nogil:
    if num is double:
        return a * b
    else:
        return mul_residue(a, b, f)


cdef inline field_t field_of(const uint64_t[::1] field) noexcept nogil:
    cdef field_t f
    f.modulus, f.negative_inverse, f.one = field[0], field[1], field[2]
    return f


# ---------------------------------------------------------------------------------------------- the dealer's trie

# The dealer's totals that end a hand, as outcomes 0..4; busts need no node, they are what is left of 1.
cdef int FIRST_STANDING_TOTAL = 17


cdef struct build_node:
    int32_t child[RANKS]
    int64_t orders
    int8_t outcome


cdef class DealerTrie:
    """The multisets of cards that a dealer can draw to a start, with the orders in which each can be drawn.

    Independent of the shoe. `start` holds one or two value indexes (0 = ace, 9 = ten-valued). With one card, a
    second card that makes a blackjack ends the hand and is left out. Busts are left out too, being what is left of 1,
    unless `busts`: such a trie lists hands, and `dealer_probabilities` does not take it.
    """

    cdef node_t *nodes
    cdef int64_t *orders
    cdef build_node *building
    cdef int room
    cdef readonly bint busts
    cdef readonly int n_nodes
    cdef readonly int max_depth
    cdef readonly int n_sequences
    cdef readonly int n_multisets
    cdef readonly int most_terms  # most final hands of one total and one number of draws
    cdef int terms[OUTCOMES + 1][MAX_DRAWS + 1]

    def __cinit__(self, tuple start, bint hits_soft_17, bint busts=False):
        cdef int hard = 0, aces = 0, value
        cdef int bj = -1
        cdef int drawn[RANKS]
        for value in start:
            if not 0 <= value < RANKS:
                raise ValueError("a dealer's card is a value index from 0 to 9")
            hard += value + 1
            aces += value == 0
        if len(start) == 1:
            bj = 9 if start[0] == 0 else (0 if start[0] == 9 else -1)
        for value in range(RANKS):
            drawn[value] = 0
        self.busts = busts
        self.room = 1024
        self.building = <build_node *> calloc(self.room, sizeof(build_node))
        if self.building == NULL:
            raise MemoryError
        self.n_nodes = 1
        self.building[0].outcome = -1
        self.walk(drawn, hard, aces, 0, hits_soft_17, bj)
        self.flatten()

    def __dealloc__(self):
        free(self.building)
        free(self.nodes)
        free(self.orders)

    cdef int add_sequence(self, int *drawn, int outcome) except -1:
        """Count one order of drawing the multiset `drawn`, which stops with `outcome`."""
        cdef int rank, i, j, value, child, node = 0
        cdef build_node *grown
        for i in range(RANKS):
            rank = RANKS - 1 - i
            for j in range(drawn[rank]):
                child = self.building[node].child[rank]
                if child == 0:
                    if self.n_nodes == self.room:
                        grown = <build_node *> realloc(self.building, 2 * self.room * sizeof(build_node))
                        if grown == NULL:
                            raise MemoryError
                        self.building = grown
                        self.room *= 2
                    child = self.n_nodes
                    self.n_nodes += 1
                    for value in range(RANKS):
                        self.building[child].child[value] = 0
                    self.building[child].orders = 0
                    self.building[child].outcome = -1
                    self.building[node].child[rank] = child
                node = child
        if self.building[node].orders == 0:
            self.n_multisets += 1
        self.building[node].outcome = outcome
        self.building[node].orders += 1
        return 0

    cdef int walk(self, int *drawn, int hard, int aces, int depth, bint hits_soft_17, int bj) except -1:
        """Follow every order of draws from here to its end."""
        cdef int total = hard, value
        cdef bint soft = aces > 0 and hard <= 11
        if soft:
            total += 10
        if hard > 21:
            self.n_sequences += 1
            return self.add_sequence(drawn, OUTCOMES) if self.busts else 0
        if total > 17 or (total == 17 and not (soft and hits_soft_17)):
            self.n_sequences += 1
            if depth > self.max_depth:
                self.max_depth = depth
            return self.add_sequence(drawn, total - FIRST_STANDING_TOTAL)
        for value in range(RANKS):
            if depth == 0 and value == bj:
                self.n_sequences += 1
                continue
            drawn[value] += 1
            self.walk(drawn, hard + value + 1, aces + (value == 0), depth + 1, hits_soft_17, bj)
            drawn[value] -= 1
        return 0

    cdef int flatten(self) except -1:
        """Lay the trie out in pre-order, ranks descending."""
        cdef int out = 0
        self.nodes = <node_t *> calloc(self.n_nodes, sizeof(node_t))
        self.orders = <int64_t *> calloc(self.n_nodes, sizeof(int64_t))
        if self.nodes == NULL or self.orders == NULL:
            raise MemoryError
        self.lay(0, 0, 0, 0, &out)
        free(self.building)
        self.building = NULL
        return 0

    cdef int lay(self, int node, int depth, int rank, int already, int *out) except -1:
        cdef int here = out[0], i, next_rank, child
        if depth > MAX_DRAWS:
            raise OverflowError("a dealer's hand of more draws than the kernel holds")
        self.nodes[here].depth, self.nodes[here].rank, self.nodes[here].already = depth, rank, already
        self.nodes[here].outcome, self.orders[here] = self.building[node].outcome, self.building[node].orders
        out[0] += 1
        if self.building[node].outcome >= 0:
            self.terms[self.building[node].outcome][depth] += 1
            self.most_terms = max(self.most_terms, self.terms[self.building[node].outcome][depth])
        for i in range(RANKS):
            next_rank = RANKS - 1 - i
            child = self.building[node].child[next_rank]
            if child:
                self.lay(child, depth + 1, next_rank, already + 1 if depth and next_rank == rank else 0, out)
        return 0

    def multisets(self):
        """Return every final hand as (counts drawn, orders, total), a bust's total being 22, for tests and reports."""
        cdef int i, d
        path = [0] * (MAX_DRAWS + 1)
        result = []
        for i in range(self.n_nodes):
            d = self.nodes[i].depth
            if d:
                path[d] = self.nodes[i].rank
            if self.nodes[i].outcome >= 0:
                drawn = [0] * RANKS
                for rank in path[1:d + 1]:
                    drawn[rank] += 1
                result.append((tuple(drawn), self.orders[i], self.nodes[i].outcome + FIRST_STANDING_TOTAL))
        return result


def dealer_probabilities(DealerTrie trie, const uint8_t[:, ::1] removed, num[:, ::1] cards, num[::1] inverse,
                         num[::1] small, const uint64_t[::1] field, num[:, ::1] out):
    """Fill `out[i]` with the joint probabilities of 17, 18, 19, 20, 21 without blackjack, for each shoe i.

    Args:
        trie: the dealer's start.
        removed: shoes x 10, the cards gone from the base shoe.
        cards: `cards[r, k]` is the number of cards of rank r left in the base shoe when k are gone, never below 0.
        inverse: `inverse[k]` is 1 / (N - k) for a base shoe of N cards, 0 where nothing is left.
        small: the numbers 0, 1, 2, ... in this number system, at least 32 of them.
        field: modulus, -1/modulus mod 2^64, one (ignored for doubles).
        out: shoes x 5.
    """
    cdef field_t f = field_of(field)
    cdef num[::1] orders
    if trie.busts:
        raise ValueError("a trie that lists busts is not for this pass")
    orders = _orders(trie, field, small)
    with nogil:
        _dealer_probabilities(trie, &orders[0], removed, cards, inverse, small, &f, out)


cdef num[::1] _orders(DealerTrie trie, const uint64_t[::1] field, num[::1] small):
    """Return the trie's numbers of orders in this number system."""
    cdef field_t f = field_of(field)
    cdef num[::1] result
    cdef num value, power
    cdef int64_t left
    cdef int i
    import numpy
    if num is double:
        result = numpy.zeros(trie.n_nodes)
        for i in range(trie.n_nodes):
            result[i] = trie.orders[i]
    else:
        result = numpy.zeros(trie.n_nodes, dtype=numpy.uint64)
        for i in range(trie.n_nodes):
            value, power, left = 0, f.one, trie.orders[i]
            while left:
                if left & 1:
                    value = add(value, power, &f)
                power = add(power, power, &f)
                left >>= 1
            result[i] = value
    return result


cdef void _dealer_probabilities(DealerTrie trie, const num *orders, const uint8_t[:, ::1] removed,
                                num[:, ::1] cards, num[::1] inverse, num[::1] small, const field_t *f,
                                num[:, ::1] out) noexcept nogil:
    cdef num counts[RANKS][LANES]
    cdef num scale[MAX_DRAWS + 1][LANES]
    cdef num result[OUTCOMES][LANES]
    cdef Py_ssize_t block, first, i, n_shoes = removed.shape[0]
    cdef int lane, rank, d, gone, n_inverse = <int> inverse.shape[0]
    for block in range((n_shoes + LANES - 1) // LANES):
        first = block * LANES
        for lane in range(LANES):
            i = first + lane if first + lane < n_shoes else n_shoes - 1
            gone = 0
            for rank in range(RANKS):
                counts[rank][lane] = cards[rank, removed[i, rank]]
                gone += removed[i, rank]
            scale[0][lane] = small[1]
            for d in range(trie.max_depth):
                if gone + d < n_inverse:
                    scale[d + 1][lane] = mul(scale[d][lane], inverse[gone + d], f)
                else:
                    scale[d + 1][lane] = small[0]
        if num is double:
            dealer_pass_double(trie.nodes, orders, trie.n_nodes, trie.max_depth, counts, scale, &small[0], f, result)
        else:
            dealer_pass_residue(trie.nodes, orders, trie.n_nodes, trie.max_depth, counts, scale, &small[0], f, result)
        for lane in range(LANES):
            if first + lane >= n_shoes:
                break
            for d in range(OUTCOMES):
                out[first + lane, d] = result[d][lane]


# ----------------------------------------------------------------------------------------------- the player's hands

STAND, HIT, DOUBLE = 0, 1, 2

# Two actions whose values differ by less than this are taken for a tie, which goes to the first of them; true ties do
# occur. It is above any rounding error of the values and far below any difference that matters. A hand's value is the
# larger of the two all the same, so that errors do not add up from hand to hand.
TIE = 1e-12
cdef double C_TIE = 1e-12

cdef enum:
    C_STAND = 0
    C_HIT = 1
    C_DOUBLE = 2

# What the rules say, as integers.
cdef struct settings_t:
    int tie_cost[6]      # by total (<= 16, 17, ..., 21): 1 where a tie pushes, 2 where it loses
    int bj_cost_1        # units that a hand of one unit loses to a dealer blackjack on the scale of the values
    int bj_cost_2        # the same for a doubled hand
    int charlie          # number of cards that win at once, or 0
    int reserved         # cards that the player cannot draw: 1 where a hole card lies on the table
    int bj_rank          # the dealer's second card that makes a blackjack, or -1
    int shoe             # cards in the base shoe


cdef settings_t settings_of(const int32_t[::1] given) noexcept nogil:
    cdef settings_t s
    cdef int i
    for i in range(6):
        s.tie_cost[i] = given[i]
    s.bj_cost_1, s.bj_cost_2, s.charlie = given[6], given[7], given[8]
    s.reserved, s.bj_rank, s.shoe = given[9], given[10], given[11]
    return s


cdef class HandGraph:
    """The graph of player hands: multisets of at most 21 (hard), by hard total, descending.

    Every hit leads to an earlier index, so that one sweep in the order of the indexes values every hand.
    """

    cdef readonly object counts, next_hand, total, soft, cards
    cdef const uint8_t[:, ::1] _counts
    cdef const int32_t[:, ::1] _next
    cdef const uint8_t[::1] _total
    cdef const uint8_t[::1] _soft
    cdef const uint8_t[::1] _cards
    cdef readonly int size

    def __cinit__(self, counts, next_hand, total, soft, cards):
        self.counts, self.next_hand, self.total, self.soft, self.cards = counts, next_hand, total, soft, cards
        self._counts, self._next, self._total, self._soft, self._cards = counts, next_hand, total, soft, cards
        self.size = self._counts.shape[0]


cdef void _sweep(HandGraph g, num[:, ::1] dealer, const int32_t[::1] rows, num[:, ::1] cards, num[::1] inverse,
                 num[::1] small, const settings_t *s, const field_t *f, int pair, int extra,
                 const uint8_t[::1] may_double, bint draws, bint optimise, uint8_t[::1] play,
                 num[::1] stand, num[::1] hit, num[::1] double_, num[::1] value, num[::1] stand_2) noexcept nogil:
    """Value every hand, or every hand that holds the card `pair`, with `extra` more of that card gone.

    `draws` is false for split aces that take one card only. The play is found if `optimise`, else followed.
    """
    cdef int h, r, n, gone, row, o, bj_gone, next_h, k, total
    cdef num p_bj, alive, joint, weight, single, doubled, p_next, bust, one = small[1], zero = small[0]
    cdef bint finished
    cdef double best
    for h in range(g.size):
        if extra > 0 and g._counts[h, pair] == 0:
            continue
        n = g._cards[h]
        gone = n + extra
        row = rows[h]
        total = g._total[h]
        p_bj = zero
        if s.bj_rank >= 0:
            bj_gone = g._counts[h, s.bj_rank] + (extra if s.bj_rank == pair else 0)
            p_bj = mul(cards[s.bj_rank, bj_gone], inverse[gone], f)
        alive = sub(one, p_bj, f)
        # Standing, jointly with "no dealer blackjack": a unit won, less two for each dealer total that beats this
        # hand, less one or two for a tie.
        joint = alive
        finished = s.charlie > 0 and n >= s.charlie
        if not finished:
            k = total - 17 if total >= 17 else -1
            for o in range(k + 1, OUTCOMES):
                joint = sub(joint, mul(small[2], dealer[row, o], f), f)
            if k >= 0:
                joint = sub(joint, mul(small[s.tie_cost[k + 1]], dealer[row, k], f), f)
        stand[h] = sub(joint, mul(small[s.bj_cost_1], p_bj, f), f)
        stand_2[h] = sub(mul(small[2], joint, f), mul(small[s.bj_cost_2], p_bj, f), f)
        if finished or (total == 21 and not (s.charlie > 0 and g._soft[h])):
            hit[h], double_[h], value[h] = stand[h], stand_2[h], stand[h]
            play[h] = C_STAND
            continue
        # Drawing one card.
        if s.shoe - gone <= s.reserved:
            single, doubled = stand[h], stand_2[h]
        else:
            single, doubled = zero, zero
            for r in range(RANKS):
                weight = mul(cards[r, g._counts[h, r] + (extra if r == pair else 0)], inverse[gone], f)
                next_h = g._next[h, r]
                if next_h >= 0:
                    single = add(single, mul(weight, value[next_h], f), f)
                    if n == 2:
                        doubled = add(doubled, mul(weight, stand_2[next_h], f), f)
                else:
                    p_next = zero
                    if s.bj_rank >= 0 and s.shoe - gone > 1:
                        bj_gone = g._counts[h, s.bj_rank] + (extra if s.bj_rank == pair else 0) + (r == s.bj_rank)
                        p_next = mul(cards[s.bj_rank, bj_gone], inverse[gone + 1], f)
                    bust = add(sub(one, p_next, f), mul(small[s.bj_cost_1], p_next, f), f)
                    single = sub(single, mul(weight, bust, f), f)
                    if n == 2:
                        bust = add(mul(small[2], sub(one, p_next, f), f), mul(small[s.bj_cost_2], p_next, f), f)
                        doubled = sub(doubled, mul(weight, bust, f), f)
        hit[h], double_[h] = single, doubled
        if optimise:
            if num is double:
                play[h] = C_STAND
                value[h] = best = stand[h]
                if n != 2 or draws:
                    if single > best + C_TIE:
                        play[h], best = C_HIT, single
                    value[h] = max(value[h], single)
                if n == 2 and may_double[h]:
                    if doubled > best + C_TIE:
                        play[h] = C_DOUBLE
                    value[h] = max(value[h], doubled)
        elif play[h] == C_HIT:
            value[h] = single
        elif play[h] == C_DOUBLE:
            value[h] = doubled
        else:
            value[h] = stand[h]


def sweep(HandGraph graph, num[:, ::1] dealer, const int32_t[::1] rows, num[:, ::1] cards, num[::1] inverse,
          num[::1] small, const int32_t[::1] settings, const uint64_t[::1] field, int pair, int extra,
          const uint8_t[::1] may_double, bint draws, bint optimise, uint8_t[::1] play, num[:, ::1] out):
    """Value the hands of one dealer start; with `extra` > 0 those of a split of `pair`.

    Args:
        graph: the hands, H of them.
        dealer: the dealer's probabilities, as `dealer_probabilities` fills them.
        rows: for each hand the row of `dealer` whose shoe lacks that hand (and the extra pair cards).
        cards: see `dealer_probabilities`.
        inverse: see `dealer_probabilities`.
        small: see `dealer_probabilities`.
        settings: the rules, in the order of `settings_t`.
        field: see `dealer_probabilities`.
        pair: the value index of the pair card of a split.
        extra: how many of them are gone beside those in the hand; 0 before a split.
        may_double: which two-card hands may be doubled.
        draws: whether a two-card hand may be hit.
        optimise: find the play (doubles only), or follow the one given.
        play: for each hand 0 stand, 1 hit, 2 double.
        out: 5 x H: stand, hit, double, value under the play, stand with two units. On the joint scale: payoff times
            no dealer blackjack, less what a dealer blackjack takes per hand.
    """
    cdef settings_t s = settings_of(settings)
    cdef field_t f = field_of(field)
    with nogil:
        _sweep(graph, dealer, rows, cards, inverse, small, &s, &f, pair, extra, may_double, draws, optimise, play,
               out[0], out[1], out[2], out[3], out[4])


def reach(HandGraph graph, const uint8_t[::1] play, const int64_t[::1] counts, int pair, int extra,
          const int32_t[::1] rows, uint8_t[::1] reached, uint8_t[::1] needed):
    """Follow a play from some hands; return the most cards that a hand has when it ends, extra pair cards included.

    Args:
        graph: the hands.
        play: by hand 0 stand, 1 hit, 2 double.
        counts: the cards of each value in the shoe before the player's hand.
        pair: the pair card of a split.
        extra: how many of them are gone beside those in the hand.
        rows: by hand, as for `sweep`.
        reached: by hand; on entry the hands to start from, on return all that are come through.
        needed: by row; set to 1 where the play stands, or has doubled and stands.
    """
    cdef int h, i, r, next_h, left, most = 0
    with nogil:
        for i in range(graph.size):
            h = graph.size - 1 - i
            if not reached[h]:
                continue
            if play[h] == C_STAND:
                needed[rows[h]] = 1
                most = max(most, graph._cards[h] + extra)
                continue
            for r in range(RANKS):
                next_h = graph._next[h, r]
                left = <int> min(counts[r], 1000) - graph._counts[h, r] - (extra if r == pair else 0)
                if left <= 0:
                    continue
                most = max(most, graph._cards[h] + extra + 1)
                if next_h < 0:
                    continue
                if play[h] == C_HIT:
                    reached[next_h] = 1
                else:
                    needed[rows[next_h]] = 1
    return most



include "pairs.pxi"
include "full.pxi"
include "chart.pxi"
