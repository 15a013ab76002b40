# Finished hands of a fixed play, and pairs of them: included at the end of `_kernel.pyx`.

cdef enum:
    # The dealer's ends: his totals from 17 to 22, more than that, a hidden blackjack.
    BUST_END = 6, BLACKJACK_END = 7, ENDS = 8


def count_ways(HandGraph graph, const uint8_t[::1] play, const int64_t[::1] counts, int64_t[::1] ways):
    """Follow a play from some hands and count the orders of draws; return whether one of them can bust.

    Args:
        graph: the hands.
        play: by hand 0 stand, 1 hit; another action ends the hand too.
        counts: the cards of each value in the shoe before the player's hand; draws that it does not hold are left out.
        ways: by hand; on entry the orders in which each hand is begun with, on return those in which it is come to.
    """
    cdef int h, r, next_h
    cdef bint busts = False
    with nogil:
        for h in range(graph.size - 1, -1, -1):
            if ways[h] == 0 or play[h] != ACTION_HIT:
                continue
            for r in range(RANKS):
                if counts[r] <= graph._counts[h, r]:
                    continue
                next_h = graph._next[h, r]
                if next_h < 0:
                    busts = True
                else:
                    ways[next_h] += ways[h]
    return busts


cdef class HandPairs:
    """All pairs of some hands, a hand with itself among them, and the different sets of cards that they take together.

    Independent of the shoe. `unions` holds those sets (sets x 10); `of_pair` the set of each pair of hands i <= j, for
    i = `first`: j = i, i + 1, ..., then for the next i, before `last`.
    """

    cdef readonly object unions, of_pair
    cdef readonly int size, first, last
    cdef int32_t[::1] _of_pair

    def __cinit__(self, const uint8_t[:, ::1] hands, int first=0, int last=-1):
        import numpy
        cdef Py_ssize_t n = hands.shape[0], i, j, place = 0
        cdef int64_t[::1] keys = set_keys(hands)
        cdef CardSets sets = CardSets()
        cdef int r
        self.size, self.first, self.last = <int> n, first, <int> n if last < 0 else last
        if not 0 <= first <= self.last <= n:
            raise ValueError("expected rows of the hands")
        self.of_pair = numpy.zeros((n - first) * (n - first + 1) // 2 - (n - self.last) * (n - self.last + 1) // 2,
                                   dtype=numpy.int32)
        self._of_pair = self.of_pair
        for i in range(n):
            for r in range(RANKS):
                if hands[i, r] > _MOST_OF_VALUE // 2:
                    raise OverflowError("a hand of more cards of one value than the kernel holds")
        for i in range(first, self.last):
            sets.reserve(n)
            with nogil:
                for j in range(i, n):
                    self._of_pair[place] = sets.number(keys[i] + keys[j], NULL)
                    place += 1
        self.unions = sets.counts()

    def wanted(self, const int32_t[::1] kinds, const uint8_t[:, ::1] of_kinds):
        """Return by union whether it is one of a pair of hands whose kinds are wanted, by one and the other."""
        import numpy
        cdef uint8_t[::1] found = numpy.zeros(len(self.unions), dtype=numpy.uint8)
        cdef Py_ssize_t i, j, place = 0
        with nogil:
            for i in range(self.first, self.last):
                for j in range(i, self.size):
                    if of_kinds[kinds[i], kinds[j]]:
                        found[self._of_pair[place]] = 1
                    place += 1
        return numpy.asarray(found)

    def drawn(self, int pair, const uint8_t[:, ::1] wanted):
        """Return the sets of cards, each once, of the unions and some more of one card.

        Args:
            pair: that card.
            wanted: by how many more, and union, whether the set is wanted.

        Returns:
            Sets x 10, and like `wanted` the number of the set, -1 for none.
        """
        import numpy
        cdef int64_t[::1] keys = set_keys(self.unions)
        cdef CardSets sets = CardSets()
        cdef int32_t[:, ::1] numbers = numpy.full((wanted.shape[0], wanted.shape[1]), -1, dtype=numpy.int32)
        cdef Py_ssize_t k, u
        if len(self.unions) and self.unions.max() + wanted.shape[0] > _MOST_OF_VALUE:
            raise OverflowError("more cards of one value than the kernel holds")
        for k in range(wanted.shape[0]):
            sets.reserve(wanted.shape[1])
            with nogil:
                for u in range(wanted.shape[1]):
                    if wanted[k, u]:
                        numbers[k, u] = sets.number(keys[u] + ((<int64_t> k) << (_SET_BITS * pair)), NULL)
        return sets.counts(), numpy.asarray(numbers)


def outcome_probabilities(const uint8_t[:, ::1] taken, num[:, ::1] dealer, num[:, ::1] cards, num[::1] inverse,
                          num[::1] small, const uint64_t[::1] field, int bj_rank, num[:, ::1] out):
    """Fill `out[i]` with the probability of drawing a set of cards in one order, jointly with each dealer outcome.

    Args:
        taken: sets x 10.
        dealer: the dealer's probabilities with those cards gone, as `dealer_probabilities` fills them; zeros count
            every hand of his that is not a blackjack as a bust.
        cards, inverse, small, field: see `sweep`.
        bj_rank: the dealer's second card that makes a blackjack, or -1.
        out: sets x 8: 17 to 22, more than that (and 22, if `dealer` does not tell it apart), hidden blackjack.
    """
    cdef field_t f = field_of(field)
    cdef Py_ssize_t i
    cdef int r, k, gone, o, n_inverse = <int> inverse.shape[0], n_outcomes = <int> dealer.shape[1]
    cdef num p, x, left
    with nogil:
        for i in range(taken.shape[0]):
            p, gone = small[1], 0
            for r in range(RANKS):
                for k in range(taken[i, r]):
                    x = inverse[gone] if gone < n_inverse else small[0]
                    p = mul(p, mul(cards[r, k], x, &f), &f)
                    gone += 1
            left = p
            for o in range(n_outcomes):
                x = mul(p, dealer[i, o], &f)
                out[i, o] = x
                left = sub(left, x, &f)
            x = small[0]
            if bj_rank >= 0 and gone < n_inverse:
                x = mul(p, mul(cards[bj_rank, taken[i, bj_rank]], inverse[gone], &f), &f)
            out[i, BLACKJACK_END] = x
            out[i, BUST_END] = sub(left, x, &f)


def add_hands(num[:, ::1] weights, num[::1] ways, const int32_t[::1] kinds, const uint64_t[::1] field,
              num[:, ::1] out):
    """Add to `out[kind]` what `outcome_probabilities` says of each hand of that kind, times its ways."""
    cdef field_t f = field_of(field)
    cdef Py_ssize_t i
    cdef int o, k
    with nogil:
        for i in range(kinds.shape[0]):
            k = kinds[i]
            for o in range(ENDS):
                out[k, o] = add(out[k, o], mul(ways[i], weights[i, o], &f), &f)


def combine(num[:, ::1] weights, const int32_t[:, ::1] numbers, num[::1] factors, const uint64_t[::1] field,
            uint8_t[::1] known, num[:, ::1] out):
    """Fill `out[i]` with the sum over k of a factor times the weights of the set `numbers[k, i]`, where it is not -1.

    Where all are -1 `known[i]` becomes 0 and `out[i]` stays as it is, else 1.
    """
    cdef field_t f = field_of(field)
    cdef Py_ssize_t i, k
    cdef int o
    with nogil:
        for i in range(out.shape[0]):
            known[i] = 0
            for k in range(numbers.shape[0]):
                if numbers[k, i] >= 0:
                    if not known[i]:
                        known[i] = 1
                        for o in range(ENDS):
                            out[i, o] = 0
                    for o in range(ENDS):
                        out[i, o] = add(out[i, o], mul(factors[k], weights[numbers[k, i], o], &f), &f)


def add_pairs(HandPairs pairs, num[:, ::1] weights, num[::1] ways, const int32_t[::1] kinds,
              const uint8_t[:, ::1] wanted, const uint8_t[::1] known, num[::1] small, const uint64_t[::1] field, num[:, :, ::1] out):
    """Add to `out[kind, other kind]` what `outcome_probabilities` says of each pair of hands, in either order.

    Args:
        pairs: the pairs.
        weights: of each of their unions.
        ways: of each hand.
        kinds: of each hand; quickest where hands of one kind follow each other.
        wanted: kinds x kinds, symmetric; what is not wanted is left out.
        known: by union, whether it has weights; else they count as 0.
        small, field: see `sweep`.
        out: kinds x kinds x 8.
    """
    cdef field_t f = field_of(field)
    cdef Py_ssize_t i, j, n = pairs.size, place = 0
    cdef int o, k, other
    cdef int32_t u
    cdef num total[ENDS]
    cdef num x
    if kinds.shape[0] != n or ways.shape[0] != n:
        raise ValueError("expected the ways and the kind of each hand of the pairs")
    with nogil:
        for i in range(pairs.first, pairs.last):
            k = kinds[i]
            u = pairs._of_pair[place]
            place += 1
            x = mul(ways[i], ways[i], &f)
            for o in range(ENDS if wanted[k, k] and known[u] else 0):
                out[k, k, o] = add(out[k, k, o], mul(x, weights[u, o], &f), &f)
            j = i + 1
            while j < n:
                other = kinds[j]
                if not wanted[k, other]:
                    j += 1
                    place += 1
                    continue
                for o in range(ENDS):
                    total[o] = small[0]
                while j < n and kinds[j] == other:
                    u = pairs._of_pair[place]
                    place += 1
                    for o in range(ENDS if known[u] else 0):
                        total[o] = add(total[o], mul(ways[j], weights[u, o], &f), &f)
                    j += 1
                for o in range(ENDS):
                    x = mul(ways[i], total[o], &f)
                    out[k, other, o] = add(out[k, other, o], x, &f)
                    out[other, k, o] = add(out[other, k, o], x, &f)
