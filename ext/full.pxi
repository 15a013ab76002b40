# Splits whose hands are played on everything seen: the kernel of the split class "full".

FULL_STARTS = FULL_LANES  # how many dealer starts `FullSplit.values` takes at a time
FULL_FLAGS = {"stands": FULL_STANDS, "draws": FULL_DRAWS, "doubles": FULL_DOUBLES, "doubled": FULL_DOUBLED,
              "numbered": FULL_NUMBERED}

cdef enum:
    _CHUNK = 4096


cdef class FullSplit:
    """The hands of one split and the shoes that two of them leave, whatever the dealer's start.

    Args:
        pair: the value index of the pair card.
        counts: H x 10, the hands that hold the pair card, by hard total, descending.
        next_hand: H x 10, the hand after a card; -1 where it busts or the shoe lacks the cards.
        fitting: so many of the ranks, from the ace, do not bust a hand.
        kind: of each hand, as for `sweep`.
        flags: what may be done with it, a sum of `FULL_FLAGS`: `numbered` where a shoe without it matters, `doubled`
            where it may be the end of a doubled hand.
        second: of a two-card hand the card that is not the pair card, else -1.
        terminal: of each hand its place among the terminals, the ways in which the first hand can end, or -1.
        busts: H x 10, the terminal that a card busts a hand to, or -1.
        ends: terminals x 10, their cards.
        end_kind: of each terminal, as `kind`.
        limits: the cards of each value that there are in the shoe, the dealer's included; 63 stands for more.
    """

    cdef int pair, n_hands, n_ends, n_shoes
    cdef const uint8_t[:, ::1] counts, ends
    cdef const int32_t[:, ::1] next_hand, busts
    cdef const uint8_t[::1] fitting, kind, flags, cards, end_kind, end_cards
    cdef const int8_t[::1] second
    cdef const int32_t[::1] terminal
    cdef int32_t[:, ::1] shoes
    cdef uint8_t[:, ::1] removed

    def __cinit__(self, int pair, counts, next_hand, fitting, kind, flags, second, terminal, busts, ends, end_kind,
                  const uint8_t[::1] limits):
        import numpy
        self.pair = pair
        self.counts, self.next_hand, self.fitting, self.kind, self.flags = counts, next_hand, fitting, kind, flags
        self.second, self.terminal, self.busts = second, terminal, busts
        self.ends, self.end_kind = ends, end_kind
        self.cards = counts.sum(axis=1).astype(numpy.uint8)
        self.end_cards = ends.sum(axis=1).astype(numpy.uint8)
        self.n_hands, self.n_ends = len(counts), len(ends)
        if self.n_hands and self.n_ends and max(self.cards) + max(self.end_cards) + 2 > FULL_GONE:
            raise OverflowError("hands of more cards than the kernel holds")
        self.shoes = numpy.full((self.n_ends, self.n_hands), -1, dtype=numpy.int32)
        self.number_shoes(limits)

    cdef int number_shoes(self, const uint8_t[::1] limits) except -1:
        """Give each shoe that lacks a terminal and a hand a number, the same if it is the same."""
        cdef int64_t i, j
        cdef int64_t[::1] hand_keys = set_keys(self.counts), end_keys = set_keys(self.ends)
        cdef CardSets sets = CardSets()
        for i in range(self.n_ends):
            sets.reserve(self.n_hands)
            with nogil:
                for j in range(self.n_hands):
                    if self.flags[j] & FULL_NUMBERED:
                        self.shoes[i, j] = sets.number(end_keys[i] + hand_keys[j], &limits[0])
        self.n_shoes, self.removed = sets.n, sets.counts()
        return 0

    def values(self, list tries, list numbers, const double[:, ::1] pays, list blackjack, const int32_t[::1] hidden,
               const uint8_t[::1] peeks, int total, int reserved, bint in_turn):
        """Return the values and the units wagered, for some dealer starts, not more than `FULL_STARTS`.

        Args:
            tries: the starts.
            numbers: for each start (cards, inverse), see `dealer_probabilities`; all shoes of one size.
            pays: as for `sweep`; kinds that net something that depends on the dealer's total come first.
            blackjack, hidden, peeks: as for `sweep`, of each start.
            total, reserved: as for `sweep`, of all starts.
            in_turn: hand 2 gets its second card after hand 1 is played.

        Returns:
            Two arrays, starts x 10 x 10: by the second cards of hand 1 and of hand 2 (0 if dealt in turn) the value of
            both hands on the joint scale, and the units wagered on both, jointly with "no hidden blackjack" where the
            dealer peeks.
        """
        import numpy
        cdef const version_t *loops = LOOPS
        cdef int first, last, n = <int> len(tries)
        if not 0 < n <= FULL_LANES or not len(numbers) == len(blackjack) == hidden.shape[0] == peeks.shape[0] == n:
            raise ValueError("expected as many tries, numbers and starts, at most FULL_STARTS")
        result = numpy.zeros((2, n, RANKS, RANKS))
        if self.n_hands and self.n_ends:
            for first in range(0, n, loops.full_width):
                last = min(first + loops.full_width, n)
                self.fill_values(loops, tries[first:last], numbers[first:last], pays, blackjack[first:last],
                                 hidden[first:last], peeks[first:last], total, reserved, in_turn, result[:, first:last])
        return result[0], result[1]

    cdef int fill_values(self, const version_t *loops, list tries, list numbers, const double[:, ::1] pays,
                         list blackjack, const int32_t[::1] hidden, const uint8_t[::1] peeks, int total, int reserved,
                         bint in_turn, out) except -1:
        """Fill `out` with what `values` returns for starts that go into one vector."""
        import numpy
        cdef full_hands_t g
        cdef full_table_t t
        cdef sweep_t terms
        cdef int lane, lanes = <int> len(tries), width = loops.full_width, y, x, i, kind
        cdef int n_y = 1 if in_turn else RANKS
        cdef double[:, ::1] cards
        cdef double[::1] inverse
        cdef const double[:, ::1] caught
        prepare_pays[double](&terms, <double[:pays.shape[0], :pays.shape[1]]> <double *> &pays[0, 0])
        g.n = self.n_hands
        g.counts, g.next, g.fitting = &self.counts[0, 0], &self.next_hand[0, 0], &self.fitting[0]
        g.cards, g.kind, g.flags = &self.cards[0], &self.kind[0], &self.flags[0]
        g.second, g.terminal, g.busts = &self.second[0], &self.terminal[0], &self.busts[0, 0]
        t.total, t.reserved, t.hidden, t.bust, t.slots, t.later = total, reserved, 0, terms.bust, 0, 0
        for kind in range(pays.shape[0]):
            t.nets[kind] = pays[kind, 0]
            if terms.n_terms[kind]:
                t.slots = kind + 1
        for i in range(self.n_hands):
            t.later |= self.cards[i] > 2 and self.flags[i] & FULL_DOUBLES
        inverse = numbers[0][1]
        for i in range(FULL_GONE):
            t.small[i] = i
            t.inverse[i] = inverse[i] if i < inverse.shape[0] else 0.0
        for lane in range(width):
            i = lane if lane < lanes else 0
            cards = numbers[i][0]
            for x in range(RANKS):
                t.counts[x][lane] = cards[x, 0]
            t.ace_hidden[lane], t.ten_hidden[lane] = hidden[i] == 0, hidden[i] == RANKS - 1
            t.peeks[lane] = peeks[i]
            t.hidden |= hidden[i] >= 0
            caught = blackjack[i]
            _check(caught.shape[0] == pays.shape[0] and caught.shape[1] == 2, "what each kind nets against a blackjack")
            for kind in range(pays.shape[0]):
                t.caught_1[kind][lane], t.caught_2[kind][lane] = caught[kind, 0], caught[kind, 1]
        cdef double[:, :, ::1] stand = numpy.zeros((max(self.n_shoes, 1), t.slots, width))
        for lane in range(lanes):
            self.fill_stand(tries[lane], numbers[lane], &terms, pays, hidden[lane], lane, stand)
        # What follows each terminal: of both hands with one unit on the first and with two, and the units on the second.
        cdef double[:, :, :, ::1] after = numpy.full((3, self.n_ends, RANKS, width), 0.0)
        cdef double[:, :, ::1] room = numpy.zeros((3, self.n_hands, width))
        cdef double[:, :, :, ::1] found = numpy.zeros((2, n_y, RANKS, width))
        cdef uint8_t gone[RANKS]
        with nogil:
            for i in range(self.n_ends):
                loops.full_second(&g, &t, &self.ends[i, 0], self.end_cards[i], self.end_kind[i], &self.shoes[i, 0],
                                  &stand[0, 0, 0], &room[0, 0, 0], &room[1, 0, 0], &room[2, 0, 0],
                                  &after[0, i, 0, 0], &after[1, i, 0, 0], &after[2, i, 0, 0])
                if in_turn:
                    loops.full_average(&t, &self.ends[i, 0], self.end_cards[i], self.pair, &after[0, i, 0, 0],
                                       &after[1, i, 0, 0], &after[2, i, 0, 0])
            for y in range(n_y):
                for x in range(RANKS):
                    gone[x] = (x == self.pair) + (not in_turn and x == y)
                loops.full_first(&g, &t, gone, 1 if in_turn else 2, RANKS, &after[0, 0, y, 0], &after[1, 0, y, 0],
                                 &after[2, 0, y, 0], &room[0, 0, 0], &room[1, 0, 0], &found[0, y, 0, 0],
                                 &found[1, y, 0, 0])
        out[:, :, :, :n_y] = numpy.transpose(found, (0, 3, 2, 1))[:, :lanes]
        return 0

    cdef int fill_stand(self, DealerTrie trie, tuple numbers, const sweep_t *terms, const double[:, ::1] pays,
                        int hidden, int lane, double[:, :, ::1] stand) except -1:
        """Fill one lane of `stand`: what the kinds that ask for the dealer's total net with one unit, for each shoe."""
        import numpy
        cdef double[:, ::1] cards = numbers[0]
        cdef double[::1] inverse = numbers[1]
        cdef double[:, ::1] dealer = numpy.zeros((_CHUNK, terms.n_outcomes))
        cdef pass_t start = pass_of(trie, trie.orders_as_doubles, &cards[0, 0])
        cdef field_t none
        cdef int64_t first, i, j, n
        cdef int k, o, r, gone
        cdef double joint, net, more
        # What a kind nets more than the one before it: that differs at few totals.
        cdef double steps[MOST_KINDS][1 + MAX_OUTCOMES]
        cdef uint8_t totals[MOST_KINDS][1 + MAX_OUTCOMES]
        cdef int n_totals[MOST_KINDS]
        for k in range(stand.shape[1]):
            n_totals[k] = 0
            for o in range(1 + terms.n_outcomes):
                more = pays[k, o] - (pays[k - 1, o] if k else 0.0)
                if o == 0:
                    steps[k][0] = more
                elif more != 0.0:
                    n_totals[k] += 1
                    steps[k][n_totals[k]], totals[k][n_totals[k]] = more, o - 1
        _check(terms.n_outcomes == trie.n_outcomes, "a trie that tells the totals that pays asks for")
        with nogil:
            for i in range((self.n_shoes + _CHUNK - 1) // _CHUNK):
                first = i * _CHUNK
                n = min(_CHUNK, self.n_shoes - first)
                _dealer_probabilities(&start, 1, &self.removed[first, 0], NULL, n, cards.shape[1], &inverse[0],
                                      inverse.shape[0], &none, &dealer[0, 0], 1)
                for j in range(n):
                    joint = 1.0
                    if hidden >= 0:
                        gone = 0
                        for r in range(RANKS):
                            gone += self.removed[first + j, r]
                        joint -= cards[hidden, self.removed[first + j, hidden]] * inverse[gone]
                    net = 0.0
                    for k in range(stand.shape[1]):
                        net += steps[k][0] * joint
                        for o in range(1, n_totals[k] + 1):
                            net += steps[k][o] * dealer[j, totals[k][o]]
                        stand[first + j, k, lane] = net
        return 0
