# Rounds in which a pair is split into three hands or more, dealt at random: included at the end of `_kernel.pyx`.

cdef enum:
    # What cards are told apart by: their value, and those of the pair apart from all others.
    OF_PAIR = RANKS, DEALT = RANKS + 1
    MOST_DEALT_HANDS = 8
    MOST_SUITED = MOST_DEALT_HANDS * 21
    ANY_TENS = -1

cdef struct random_t:
    uint64_t state[4]

cdef struct suited_t:
    int n
    int value[MOST_SUITED]
    uint32_t card[MOST_SUITED]


cdef inline uint64_t rotated(uint64_t word, int bits) noexcept nogil:
    return (word << bits) | (word >> (64 - bits))


cdef inline uint64_t next_random(random_t *t) noexcept nogil:
    """64 random bits: xoshiro256** (Blackman and Vigna 2018)."""
    cdef uint64_t *s = t.state
    cdef uint64_t result = rotated(s[1] * 5, 7) * 9, shifted = s[1] << 17
    s[2] ^= s[0]
    s[3] ^= s[1]
    s[1] ^= s[2]
    s[0] ^= s[3]
    s[2] ^= shifted
    s[3] = rotated(s[3], 45)
    return result


cdef void seed_random(random_t *t, uint64_t seed) noexcept nogil:
    """Begin with a seed: splitmix64 (Steele, Lea and Flood 2014)."""
    cdef int i
    cdef uint64_t word
    for i in range(4):
        seed += <uint64_t> 0x9E3779B97F4A7C15
        word = (seed ^ (seed >> 30)) * <uint64_t> 0xBF58476D1CE4E5B9
        word = (word ^ (word >> 27)) * <uint64_t> 0x94D049BB133111EB
        t.state[i] = word ^ (word >> 31)


cdef inline uint32_t random_below(random_t *t, uint32_t n) noexcept nogil:
    """A number from 0 to n - 1, each equally likely (Lemire 2019)."""
    cdef uint64_t product = (next_random(t) >> 32) * n
    cdef uint32_t threshold
    if <uint32_t> product < n:
        threshold = (<uint32_t> 0 - n) % n
        while <uint32_t> product < threshold:
            product = (next_random(t) >> 32) * n
    return <uint32_t> (product >> 32)


cdef inline int dealt_card(random_t *t, int32_t *left, int32_t among) noexcept nogil:
    """A card of the first `among` of those left, tens first and those of the pair last, which is taken away."""
    cdef int32_t place = <int32_t> random_below(t, <uint32_t> among)
    cdef int kind = RANKS - 1
    while kind >= 0 and place >= left[kind]:
        place -= left[kind]
        kind -= 1
    if kind < 0:
        kind = OF_PAIR
    left[kind] -= 1
    return kind


cdef inline uint32_t suited_card(random_t *t, suited_t *taken, int value, uint32_t cards) noexcept nogil:
    """A card of a value, told by its suit (the last two bits) and its rank, other than those that were taken."""
    cdef uint32_t card = 0
    cdef int i
    cdef bint again = True
    while again:
        card, again = random_below(t, cards), False
        for i in range(taken.n):
            if taken.value[i] == value and taken.card[i] == card:
                again = True
    taken.value[taken.n], taken.card[taken.n] = value, card
    taken.n += 1
    return card


cdef inline Py_ssize_t place_in(const int64_t[::1] ascending, int64_t number) noexcept nogil:
    """Where a number is that is one of these."""
    cdef Py_ssize_t low = 0, high = ascending.shape[0] - 1, middle
    while low < high:
        middle = (low + high) // 2
        if ascending[middle] < number:
            low = middle + 1
        else:
            high = middle
    return low


cdef class SplitPlayed:
    """A play of the hands of a split against one start of the dealer's, as tables that know no rule.

    A hand is a state from its second card on. States are drawn to (`moves`, by value of the card) until a hand is over;
    then it has a group, which is what the hand nets but for its suits. Which of the finishes of a group a hand has is
    the first of its lines that its suits and tens fit.
    """

    cdef const int32_t[:, ::1] moves, begin, lines
    cdef const int64_t[:, ::1] nets
    cdef const int32_t[::1] ends, first_line
    cdef const uint8_t[:, ::1] cards
    cdef const uint8_t[::1] flags
    cdef const int8_t[:, ::1] dealer
    cdef int pair, dealer_start, hidden, ranks_of_ten
    cdef bint peeks
    cdef uint32_t of_suit
    cdef int64_t takes

    def __cinit__(self, int pair, const int32_t[:, ::1] begin, const int32_t[:, ::1] moves, const int32_t[::1] ends,
                  const int32_t[::1] first_line, const int32_t[:, ::1] lines, const uint8_t[:, ::1] cards,
                  uint32_t of_suit, int ranks_of_ten, const int64_t[:, ::1] nets, const uint8_t[::1] flags,
                  const int8_t[:, ::1] dealer, int dealer_start, int hidden, bint peeks,
                  int64_t takes):
        """Keep tables.

        Args:
            pair: value of the pair.
            begin: by value of the second card the state of the hand that is played first; then of the others.
            moves: by state and value of the card drawn the next state, or -1 less a group.
            ends: by state the group of a hand that draws no more, else -1.
            first_line: by group where its lines begin, and where the last ends.
            lines: the sets of suits of which one must be all of the hand's, as bits; the tens the hand must have, four
                bits a rank, or -1; the finish.
            cards: by group the cards of its hands, where there is more than one line.
            of_suit: the cards of each rank and suit in the decks.
            ranks_of_ten: ranks of ten points in these.
            nets: finishes x 8, by the dealer's end.
            flags: by finish, bits that come together over a round.
            dealer: by state of his and value of the card drawn the next state, or -1 less his end.
            dealer_start: the state in which he starts, or -1 less his end.
            hidden: value of his next card that makes a blackjack, -1 for none.
            peeks: rounds in which it does are not asked for.
            takes: what a blackjack takes once from the round, beside what the hands net against it.
        """
        self.pair, self.begin, self.moves, self.ends = pair, begin, moves, ends
        self.first_line, self.lines, self.cards = first_line, lines, cards
        self.of_suit, self.ranks_of_ten, self.nets, self.flags = of_suit, ranks_of_ten, nets, flags
        self.dealer, self.dealer_start, self.hidden, self.peeks, self.takes = dealer, dealer_start, hidden, peeks, takes

    def deal(self, const int32_t[::1] shoe, int settled, int free, int64_t rounds, uint64_t seed,
             const int64_t[::1] sums, int64_t[:, ::1] out):
        """Deal rounds and count what they net.

        Args:
            shoe: the cards of each value but those of the pair, and these, without any that the hands begin with.
            settled: hands whose second card is none of the pair; they come first.
            free: hands whose second card may be any.
            rounds: how many.
            seed: of the random numbers.
            sums: what a round may net, ascending.
            out: by flags and place in `sums`; added to.
        """
        cdef random_t random
        cdef int64_t i, net
        cdef int kind, flags, hands = settled + free
        cdef int32_t n = 0
        if shoe.shape[0] != DEALT or not 0 < hands <= MOST_DEALT_HANDS:
            raise ValueError("expected 11 counts of cards, and 1 to 8 hands")
        for kind in range(DEALT):
            n += shoe[kind]
        with nogil:
            seed_random(&random, seed)
            for i in range(rounds):
                flags = 0
                net = self.play(&random, &shoe[0], n, settled, hands, &flags)
                out[flags, place_in(sums, net)] += 1

    cdef int64_t play(self, random_t *random, const int32_t *shoe, int32_t n, int settled, int hands,
                      int *flags) noexcept nogil:
        """What a round nets."""
        cdef int32_t left[DEALT]
        cdef int32_t size
        cdef int seconds[MOST_DEALT_HANDS]
        cdef int groups[MOST_DEALT_HANDS]
        cdef suited_t taken
        cdef int i, card, state, end, finish
        cdef int64_t net
        cdef int blackjack = -1 - BLACKJACK_END
        while True:
            for i in range(DEALT):
                left[i] = shoe[i]
            size = n
            for i in range(settled):
                seconds[i] = dealt_card(random, left, size - left[OF_PAIR])
                size -= 1
            end = self.dealer_start
            if self.hidden >= 0:
                card = self.next_value(random, left, &size)
                end = blackjack if card == self.hidden else self.dealer[end, card]
            if end != blackjack or not self.peeks:
                break
        while end >= 0:
            end = self.dealer[end, self.next_value(random, left, &size)]
        end = -1 - end
        taken.n = 0
        for i in range(hands):
            card = seconds[i] if i < settled else self.next_value(random, left, &size)
            state = self.begin[i > 0, card]
            while state >= 0 and self.ends[state] < 0:
                state = self.moves[state, self.next_value(random, left, &size)]
            groups[i] = -1 - state if state < 0 else self.ends[state]
        net = -self.takes if end == BLACKJACK_END else 0
        for i in range(hands):
            finish = self.finish_of(random, &taken, groups[i])
            net += self.nets[finish, end]
            flags[0] |= self.flags[finish]
        return net

    cdef inline int next_value(self, random_t *random, int32_t *left, int32_t *size) noexcept nogil:
        cdef int kind = dealt_card(random, left, size[0])
        size[0] -= 1
        return self.pair if kind == OF_PAIR else kind

    cdef inline int finish_of(self, random_t *random, suited_t *taken, int group) noexcept nogil:
        cdef int line = self.first_line[group]
        if line + 1 < self.first_line[group + 1]:
            line = self.fitting_line(random, taken, group)
        return self.lines[line, 2]

    cdef int fitting_line(self, random_t *random, suited_t *taken, int group) noexcept nogil:
        """The first line that the suits and tens of a hand fit, drawn for its cards; the last fits any."""
        cdef int value, i, line, suits = 0, tens = 0
        cdef uint32_t card
        for value in range(RANKS):
            for i in range(self.cards[group, value]):
                card = suited_card(
                    random, taken, value, 4 * self.of_suit * (self.ranks_of_ten if value == RANKS - 1 else 1)
                )
                suits |= 1 << (card & 3)
                if value == RANKS - 1:
                    tens += 1 << (4 * ((card >> 2) % self.ranks_of_ten))
        for line in range(self.first_line[group], self.first_line[group + 1] - 1):
            if self.lines[line, 0] >> suits & 1 and self.lines[line, 1] in (ANY_TENS, tens):
                return line
        return self.first_line[group + 1] - 1
