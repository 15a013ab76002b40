# Side bets as the referee decides them: by tables filled from the written conditions; included by _simulator.pyx.

# Where the cards lie that a bet looks at; `PLACES` in Python has the same order.
cdef enum:
    FIRST, SECOND, UPCARD, HOLE, DRAWN, THIRD, FOURTH
    N_PLACES = 7
    N_RANKS = 13
    N_SUITS = 4
    KINDS = N_RANKS * N_SUITS
    MOST_MORE = 26  # cards dealt for side bets alone: the dealer's, and one that comes next
    HARD_TOTALS = 32
    MOST_BY_KIND = 3  # more cards are looked at by rank alone
    MOST_PLACES = 4
    TABLE = MOST_PLACES + 1  # where `parts` says that
    FREE_BETS = -1  # instead of a number of places
    ALL_CARDS = -2
    OF_ROUND = -3  # and below, in this order; `ROUND` in Python has the same
    RESULT = 0, PLAYER_TOTAL, PLAYER_CARDS, PLAYER_BLACKJACK, DEALER_TOTAL, DEALER_BLACKJACK, MARGIN, DOUBLED, IS_SPLIT
    DEALER_CARDS = 9, N_OF_ROUND
    WON = 0, PUSHED, LOST, GIVEN_UP
    MORE_THAN_22 = 23
    MOST_FREE_BETS = 9  # more are as many

# What a side bet asks of the deal, as bits.
cdef enum:
    ASKS_HOLE = 1, ASKS_DRAWN = 2, ASKS_THIRD = 4, ASKS_FOURTH = 8, ASKS_HAND = 16, ASKS_CARDS = 32, ASKS_ROUND = 64


cdef struct more_t:
    bitgen_t *generator  # NULL for a shoe in a given order
    uint32_t at[MOST_MORE]
    int n


@cython.final
cdef class SideBets:
    """Side bets as tables; immutable.

    `bets[bet]` is the first of its parts, the one after the last, and where its lines begin. `parts[part]` is how many
    places it looks at (0 for the dealer's whole hand, ALL_CARDS for each card of it, FREE_BETS for those of a round,
    OF_ROUND and below for how it ended), the places, where its table begins, and a stride. The table of a part, by the kinds (rank * N_SUITS + suit) of its
    cards, of more than MOST_BY_KIND by their ranks, or by the cards, the hard total and the aces of the dealer's hand,
    or by the free bets, says which class they are of; the sum of all classes times strides says which line it is. For
    each card of the dealer's hand, from the row `steps` where the table of the part begins, the column of its kind says
    which row is next; the last column is the class.
    """

    cdef const int32_t[:, ::1] bets, parts
    cdef const uint8_t[::1] tables, lines
    cdef const uint16_t[:, ::1] steps
    cdef int n_bets, most_lines, asks

    def __cinit__(self, const int32_t[:, ::1] bets, const int32_t[:, ::1] parts, const uint8_t[::1] tables,
                  const uint8_t[::1] lines, const uint16_t[:, ::1] steps):
        cdef int i, j, place
        self.bets, self.parts, self.tables, self.lines, self.steps = bets, parts, tables, lines, steps
        self.n_bets = <int> bets.shape[0]
        self.most_lines = self.asks = 0
        for i in range(<int> lines.shape[0]):
            self.most_lines = max(self.most_lines, lines[i] + 1)
        for i in range(<int> parts.shape[0]):
            if parts[i, 0] <= OF_ROUND - N_OF_ROUND:
                raise ValueError("rounds do not end so")
            if not parts[i, 0]:
                self.asks |= ASKS_HAND
            elif parts[i, 0] == ALL_CARDS:
                self.asks |= ASKS_HAND | ASKS_HOLE | ASKS_CARDS
            elif parts[i, 0] <= OF_ROUND:
                self.asks |= ASKS_HAND | ASKS_ROUND
            for j in range(parts[i, 0]):
                place = parts[i, 1 + j]
                if not 0 <= place < N_PLACES:
                    raise ValueError("there is no such place")
                if place >= HOLE:
                    self.asks |= ASKS_HOLE << (place - HOLE)

    cdef int check(self, int64_t[:, ::1] counts) except -1:
        """Refuse counts that have no place for each line of each bet."""
        if counts is None or counts.shape[0] != self.n_bets or counts.shape[1] < self.most_lines:
            raise ValueError("expected counts of each line of each side bet")
        return 0

    cdef inline int line_of(self, int bet, const uint8_t *kinds, const hand_t *dealer, const uint8_t *cards,
                            int free_bets, const int *ending) noexcept nogil:
        cdef int part, i, index, place, places
        cdef int line = self.bets[bet, 2]
        for part in range(self.bets[bet, 0], self.bets[bet, 1]):
            index = 0
            places = self.parts[part, 0]
            for i in range(places):
                place = self.parts[part, 1 + i]
                if places <= MOST_BY_KIND:
                    index = index * KINDS + kinds[place]
                else:
                    index = index * N_RANKS + kinds[place] // N_SUITS
            if places == ALL_CARDS:
                index = self.parts[part, TABLE]
                for i in range(dealer.cards):
                    index = self.steps[index, cards[i]]
                line += self.steps[index, KINDS] * self.parts[part, TABLE + 1]
                continue
            if places == FREE_BETS:
                index = min(free_bets, MOST_FREE_BETS)
            elif places <= OF_ROUND:
                index = ending[OF_ROUND - places]
            elif not places:
                index = (dealer.cards * HARD_TOTALS + dealer.hard) * 2 + (dealer.aces > 0)
            line += self.tables[self.parts[part, TABLE] + index] * self.parts[part, TABLE + 1]
        return self.lines[line]


cdef inline uint8_t kind_of(int card) noexcept nogil:
    return <uint8_t> ((card & RANK_BITS) * N_SUITS + (card >> SUIT_SHIFT))


cdef inline int draw_more(round_t *t, more_t *more) noexcept nogil:
    """A card for side bets alone, which must be there; `put_back` puts it where it was."""
    cdef uint32_t at = pick(t, more.generator)
    more.at[more.n] = at
    more.n += 1
    t.drawn += 1
    return exchange(t.shoe, t.drawn - 1, at)


cdef inline void put_back(round_t *t, more_t *more) noexcept nogil:
    while more.n:
        more.n -= 1
        t.drawn -= 1
        exchange(t.shoe, t.drawn, more.at[more.n])
