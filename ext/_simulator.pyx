# distutils: language = c
"""The referee: deals cards from a shoe and plays the written rules, one round after another.

It shares no arithmetic with the kernel. Rules arrive as plain integers, and so do the tables that say what is played;
what goes out are counts of how rounds were settled, not money. Cards are ranks, 0 (ace) to 12 (king), plus 16 times
the suit where side bets ask for it.
"""

cimport cython
from cpython.pycapsule cimport PyCapsule_GetPointer
from libc.stdint cimport int32_t, int64_t, uint16_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcmp, memcpy, memset

include "simulator.pxi"
include "side_bets.pxi"


cdef inline uint64_t mixed(uint64_t word) noexcept nogil:
    word *= <uint64_t> 0x9E3779B97F4A7C15
    return word ^ (word >> 32)


@cython.final
cdef class Tally:
    """How often rounds came out in each way; a way is what their counts are.

    An open-addressed table that grows: `slots` hold how often, and the words of the counts.
    """

    cdef int n_counts, n_words
    cdef uint64_t mask, used
    cdef uint64_t *slots

    def __cinit__(self, int n_counts):
        self.n_counts, self.n_words = n_counts, words_of(n_counts)
        self.mask, self.used = 255, 0
        self.slots = <uint64_t *> calloc((self.mask + 1) * (self.n_words + 1), sizeof(uint64_t))
        if self.slots == NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.slots)

    def items(self):
        """Pairs of the counts and how often."""
        cdef uint64_t i
        cdef const uint64_t *slot
        for i in range(self.mask + 1):
            slot = &self.slots[i * (self.n_words + 1)]
            if slot[0]:
                yield counts_in(&slot[1], self.n_counts), slot[0]

    cdef uint64_t *slot_of(self, const uint64_t *words) noexcept nogil:
        """Where counts are, or would be."""
        cdef uint64_t at = 0
        cdef uint64_t *slot
        cdef int i
        for i in range(self.n_words):
            at = mixed(at ^ words[i])
        while True:
            slot = &self.slots[(at & self.mask) * (self.n_words + 1)]
            if not slot[0] or not memcmp(&slot[1], words, self.n_words * sizeof(uint64_t)):
                return slot
            at += 1

    cdef inline bint add(self, const uint64_t *words) noexcept nogil:
        """Count a round; return whether there was memory for it."""
        cdef uint64_t *slot
        if self.n_words == 1:
            # The place of most rounds; nothing was wagered in no round, so that no empty one is alike.
            slot = &self.slots[2 * (mixed(words[0]) & self.mask)]
            if slot[1] == words[0]:
                slot[0] += 1
                return True
        slot = self.slot_of(words)
        slot[0] += 1
        return slot[0] > 1 or self.keep(slot, words)

    cdef bint keep(self, uint64_t *slot, const uint64_t *words) noexcept nogil:
        memcpy(&slot[1], words, self.n_words * sizeof(uint64_t))
        self.used += 1
        return 2 * self.used <= self.mask or self.grow()

    cdef bint grow(self) noexcept nogil:
        cdef uint64_t i, size = self.mask + 1, width = self.n_words + 1
        cdef uint64_t *old = self.slots
        cdef uint64_t *slots = <uint64_t *> calloc(2 * size * width, sizeof(uint64_t))
        if slots == NULL:
            return False
        self.slots, self.mask = slots, 2 * size - 1
        for i in range(size):
            if old[i * width]:
                memcpy(self.slot_of(&old[i * width + 1]), &old[i * width], width * sizeof(uint64_t))
        free(old)
        return True


@cython.final
cdef class Referee:
    """Rules and a play; immutable, so that threads can share it.

    Tables, all of action numbers and 255 where the play says nothing: `first[start, a, b, may_split]` for the first
    two cards of values a <= b, `unsplit[start, hand]` for three cards or more, `after_split[row, hand]` with
    `split_row[start, pair]`; `doubled[start, doublings - 1, hand]` and `doubled_after_split[row, doublings - 1, hand]`
    for a hand that was doubled. Where splits are free, hands of one that carry no wager have the row after that.
    `start_of[a, b]` is the start of an upcard a, or of two exposed cards in any order. `next_hand[hand, value]` is the
    hand with one more card; its last row is the hand without cards. `raised[start]` says whether the wager is raised.

    Of two hands that may be switched each start has a row for each two first cards of the other hand, a <= b in their
    order, and `start_of` is the first of these; `switched[start_of, a, b, c, d]` says whether second cards b and d are
    exchanged.
    """

    cdef rules_t rules
    cdef bint wins_below_21
    cdef int n_words
    cdef const int32_t[:, ::1] start_of, next_hand, split_row
    cdef const uint8_t[:, :, :, ::1] first
    cdef const uint8_t[:, ::1] unsplit, after_split
    cdef const uint8_t[:, :, ::1] doubled, doubled_after_split
    cdef const uint8_t[::1] raised
    cdef const uint8_t[:, :, :, :, ::1] switched

    def __cinit__(self, dict rules, const int32_t[:, ::1] start_of, const int32_t[:, ::1] next_hand,
                  const uint8_t[:, :, :, ::1] first, const uint8_t[:, ::1] unsplit, const uint8_t[:, ::1] after_split,
                  const int32_t[:, ::1] split_row, const uint8_t[:, :, ::1] doubled,
                  const uint8_t[:, :, ::1] doubled_after_split, const uint8_t[::1] raised,
                  const uint8_t[:, :, :, :, ::1] switched):
        cdef int most
        self.rules = rules  # member by member
        if not 1 <= self.rules.max_hands <= MOST_SPLIT:
            raise ValueError("max_hands is 1 to 4")
        most = (1 + self.rules.switches) * self.rules.max_hands * self.rules.double_multiple << self.rules.redoubles
        if most >= HALF_DIGIT:
            raise ValueError("more units than can be counted")
        self.n_words = words_of(self.rules.n_counts)
        self.wins_below_21 = self.rules.charlie or self.rules.n_bonuses
        self.start_of, self.next_hand = start_of, next_hand
        self.first, self.unsplit, self.after_split, self.split_row = first, unsplit, after_split, split_row
        self.doubled, self.doubled_after_split, self.raised = doubled, doubled_after_split, raised
        self.switched = switched

    def tally(self):
        """A new tally of rounds."""
        return Tally(self.rules.n_counts)

    def play(self, capsule, const uint8_t[::1] shoe, int64_t rounds, Tally settled,
             int64_t[:, ::1] insurance, SideBets bets=None, more_capsule=None, int64_t[:, ::1] lines=None,
             bint endless=False):
        """Play rounds, each from the whole shoe freshly shuffled, or if it is endless with every card drawn replaced;
        return what `fault` describes, or None.

        Adds to `settled`, and to `insurance[against a ten]`, which is how often it was offered and how often it would
        have won. `capsule` is that of a numpy bit generator which nobody else uses meanwhile.

        With side bets, adds to `lines[bet, line]`. Cards that only they need are drawn by the generator of
        `more_capsule` and put back, so that the rounds are the same with them and without.
        """
        cdef round_t t
        cdef more_t more
        cdef int64_t i
        cdef int n_bets = 0, against_ten
        if bets is not None:
            n_bets = bets.n_bets
            more.generator = <bitgen_t *> PyCapsule_GetPointer(more_capsule, "BitGenerator")
            bets.check(lines)
        if settled.n_counts != self.rules.n_counts:
            raise ValueError("the tally is for other rules")
        t.generator = <bitgen_t *> PyCapsule_GetPointer(capsule, "BitGenerator")
        t.size, t.n_replaced = <uint32_t> shoe.shape[0], 0
        if endless:
            t.replaced, t.n_replaced, t.size = &shoe[0], t.size, MOST_DEALT
        t.events, t.n_script, t.fault = NULL, NO_SCRIPT, NO_FAULT
        t.shuffled, t.looks_closer = not endless, self.rules.n_bonuses > 0
        t.shoe = <uint8_t *> malloc(t.size)
        if t.shoe == NULL:
            raise MemoryError
        if not endless:
            memcpy(t.shoe, &shoe[0], t.size)
        with nogil:
            for i in range(rounds):
                self.play_round(&t)
                if n_bets and t.fault == NO_FAULT:
                    self.settle_side_bets(&t, bets, &more, lines)
                if t.fault != NO_FAULT:
                    break
                if not settled.add(t.counts):
                    with gil:
                        free(t.shoe)
                        raise MemoryError
                if t.insurance_offered:
                    against_ten = value_of(t.dealer.ranks[0]) == TEN
                    insurance[against_ten, 0] += 1
                    insurance[against_ten, 1] += t.dealer_blackjack
        free(t.shoe)
        return fault(&t) if t.fault != NO_FAULT else None

    def play_fixed(self, uint8_t[::1] cards, const int32_t[::1] script, int32_t[:, ::1] events, SideBets bets=None,
                   int64_t[:, ::1] lines=None):
        """Play one round with the cards in this order, and return all that happened.

        `script` answers the questions in their order, with standing after its end; None asks the tables. Side bets add
        to `lines[bet, line]`, and deal the cards that only they need from the rest.
        """
        cdef round_t t
        cdef more_t more
        cdef int i
        if bets is not None:
            bets.check(lines)
        t.generator, t.fault, t.size, t.n_replaced = NULL, NO_FAULT, <uint32_t> cards.shape[0], 0
        t.n_events, t.most_events = 0, <int> events.shape[0]
        t.n_script = NO_SCRIPT if script is None else <int> script.shape[0]
        t.shoe = &cards[0] if t.size else NULL
        t.script = &script[0] if t.n_script > 0 else NULL
        t.events = &events[0, 0] if t.most_events else NULL
        t.shuffled, t.looks_closer = False, True
        self.play_round(&t)
        if bets is not None and t.fault == NO_FAULT:
            more.generator = NULL
            self.settle_side_bets(&t, bets, &more, lines)
        return {
            "fault": fault(&t) if t.fault != NO_FAULT else None,
            "events": t.n_events,
            "answers": t.script_at,
            "dealer": [t.dealer.ranks[i] for i in range(t.dealer.cards)],
            "hands": [hand_cards(&t.hands[i]) for i in range(t.n_hands)],
            "bets": [t.hands[i].bet for i in range(t.n_hands)],
            "free": [t.hands[i].free for i in range(t.n_hands)],
            "fates": [t.hands[i].fate for i in range(t.n_hands)],
            "counts": counts_in(t.counts, self.rules.n_counts),
            "of_first": t.of_first,
            "insured": t.insured, "dealer_blackjack": t.dealer_blackjack, "drawn": t.drawn,
        }

    cdef void play_round(self, round_t *t) noexcept nogil:
        t.drawn = 0
        t.script_at = 0
        t.counts[0] = 0
        if self.n_words > 1:
            memset(t.counts, 0, sizeof(t.counts))
        t.insurance_offered = t.insured = t.dealer_blackjack = t.free_bets = 0
        self.deal(t)
        if t.fault == NO_FAULT:
            if self.rules.switches:
                if self.opens_two(t):
                    self.play_two(t)
            elif self.opens(t):
                self.play_hands(t, 0)
        if t.fault == NO_FAULT:
            self.play_dealer(t)
        if t.fault == NO_FAULT:
            self.settle(t)

    # ------------------------------------------------------------------------------------------------- the deal

    cdef inline void takes(self, round_t *t, int i) noexcept nogil:
        """A hand of the player takes a card, which must be there."""
        cdef int card = draw_card(t), rank = card & RANK_BITS
        self.gets(&t.hands[i], rank)
        if t.looks_closer:
            look_closer(t, i, card)

    cdef void second_takes(self, round_t *t) noexcept nogil:
        self.takes(t, 1)

    cdef inline void gets(self, hand_t *hand, int rank) noexcept nogil:
        add_card(hand, rank)
        if hand.node >= 0:
            hand.node = self.next_hand[hand.node, value_of(rank)]

    cdef inline int no_cards(self) noexcept nogil:
        return <int> self.next_hand.shape[0] - 1

    cdef void deal(self, round_t *t) noexcept nogil:
        """To each hand of the player, to the dealer, and again; a dealer without a hole card gets one card."""
        cdef int up, second
        t.n_hands = t.of_this = 1
        t.pair = -1
        clear(&t.hands[0], self.no_cards())
        clear(&t.dealer, 0)
        if t.size < (3 if self.rules.hole_card == NO_HOLE_CARD else 4) + 2 * self.rules.switches:
            t.fault = NO_CARD_LEFT
            return
        self.takes(t, 0)
        if self.rules.switches:
            clear(&t.hands[1], self.no_cards())
            self.second_takes(t)
        dealer_takes(t, TAKES_CARD)
        self.takes(t, 0)
        if self.rules.switches:
            self.second_takes(t)
            t.n_hands, t.of_first = 2, 1
        if self.rules.hole_card != NO_HOLE_CARD:
            dealer_takes(t, TAKES_CARD if self.rules.hole_card == EXPOSED else TAKES_HOLE_CARD)
        up = value_of(t.dealer.ranks[0])
        second = value_of(t.dealer.ranks[1]) if self.rules.hole_card == EXPOSED else up
        t.start = self.start_of[up, second]
        if self.rules.counts_raised:
            count(t, self.rules.counts_raised, self.raised[t.start])
        t.surrender = self.rules.surrender[up]

    cdef bint opens(self, round_t *t) noexcept nogil:
        """Insurance, even money, early surrender and the peek; return whether the player plays his hand."""
        cdef hand_t *hand = &t.hands[0]
        cdef int up = value_of(t.dealer.ranks[0])
        cdef bint natural = is_ace_and_ten(hand)
        if self.rules.hole_card == EXPOSED:
            if natural:
                self.has_blackjack(t, hand)
            return not natural and not is_ace_and_ten(&t.dealer)
        self.offers_insurance(t)
        if up == ACE and natural and self.rules.even_money and self.chooses(t, EVEN_MONEY):
            hand.fate = TOOK_EVEN_MONEY
            return False
        if natural:
            self.has_blackjack(t, hand)
        elif t.surrender == EARLY and self.surrenders_early(t):
            hand.fate = SURRENDERED_EARLY
            return False
        return not self.finds_blackjack(t) and not natural

    cdef inline void offers_insurance(self, round_t *t) noexcept nogil:
        t.insurance_offered = self.rules.insurance[value_of(t.dealer.ranks[0])]
        if t.insurance_offered and self.chooses(t, INSURANCE):
            t.insured = 1

    cdef inline bint finds_blackjack(self, round_t *t) noexcept nogil:
        """Whether the dealer looks for a blackjack, and has it."""
        if not self.rules.peeks[value_of(t.dealer.ranks[0])]:
            return False
        if t.events != NULL:
            note(t, PEEKS, DEALER, 0)
        return is_ace_and_ten(&t.dealer)

    cdef bint opens_two(self, round_t *t) noexcept nogil:
        """Insurance, the peek, and the exchange of second cards; return whether the player plays his two hands."""
        cdef int i
        cdef bint is_found, exchanged
        if self.rules.hole_card == EXPOSED:
            is_found = is_ace_and_ten(&t.dealer)
        else:
            self.offers_insurance(t)
            is_found = self.finds_blackjack(t)
        exchanged = not is_found and self.exchanges(t)
        if exchanged:
            self.switch_cards(t)
        for i in range(2):
            if not is_ace_and_ten(&t.hands[i]):
                continue
            if not exchanged or self.rules.switched_blackjack:
                self.has_blackjack(t, &t.hands[i])
            elif self.rules.wins_21:
                t.hands[i].fate, t.hands[i].pays = MAKES_21, UNITS
            else:
                t.hands[i].fate = STANDS
        return not is_found

    cdef bint exchanges(self, round_t *t) noexcept nogil:
        cdef const hand_t *one = &t.hands[0]
        cdef const hand_t *other = &t.hands[1]
        if t.n_script != NO_SCRIPT:
            return self.chooses(t, SWITCH)
        return self.switched[t.start // PAIRS, value_of(one.ranks[0]), value_of(one.ranks[1]),
                             value_of(other.ranks[0]), value_of(other.ranks[1])]

    cdef void switch_cards(self, round_t *t) noexcept nogil:
        """Exchange the second cards."""
        cdef hand_t one = t.hands[0], other = t.hands[1]
        self.start_hand(&t.hands[0], one.ranks[0], one.suits[0])
        self.start_hand(&t.hands[1], other.ranks[0], other.suits[0])
        self.gets(&t.hands[0], other.ranks[1])
        self.gets(&t.hands[1], one.ranks[1])
        t.hands[0].suits[1], t.hands[1].suits[1] = other.suits[1], one.suits[1]

    cdef bint chooses(self, round_t *t, int offer) noexcept nogil:
        """Whether an offer is taken: only where the script's next answer is just that."""
        if t.n_script == NO_SCRIPT or t.script_at >= t.n_script or t.script[t.script_at] != offer:
            return False
        t.script_at += 1
        if t.events != NULL:
            note(t, offer, 0, 0)
        return True

    cdef bint surrenders_early(self, round_t *t) noexcept nogil:
        if t.n_script != NO_SCRIPT:
            return self.chooses(t, SURRENDER)
        return self.first_action(t, &t.hands[0]) == SURRENDER

    # ------------------------------------------------------------------------------------------- the player's turn

    cdef inline bint is_pair(self, const hand_t *hand) noexcept nogil:
        if hand.cards != 2:
            return False
        if self.rules.by_rank:
            return hand.ranks[0] == hand.ranks[1]
        return value_of(hand.ranks[0]) == value_of(hand.ranks[1])

    cdef inline int first_action(self, round_t *t, const hand_t *hand) noexcept nogil:
        cdef int a = value_of(hand.ranks[0]), b = value_of(hand.ranks[1])
        if a > b:
            a, b = b, a
        return self.first[t.start, a, b, self.is_pair(hand)]

    cdef inline int legal(self, round_t *t, const hand_t *hand) noexcept nogil:
        """The actions open to a hand in play, as bits."""
        cdef int actions = 1 << STAND
        cdef bint unsplit = t.pair < 0, split_aces = t.pair == ACE
        cdef bint first = unsplit and hand.cards == 2
        if hand.doublings:
            if hand.doublings <= self.rules.redoubles:
                actions |= 1 << DOUBLE
            if self.rules.rescues_doubled or self.may_surrender_any(t):
                actions |= 1 << SURRENDER
            return actions
        if not split_aces or self.rules.hit_split_aces:
            actions |= 1 << HIT
        if (unsplit or self.rules.double_after_split) and (not split_aces or self.rules.double_split_aces):
            if hand.cards <= self.rules.double_cards and self.rules.may_double[is_soft(hand)][total_of(hand)]:
                actions |= 1 << DOUBLE
        if self.is_pair(hand) and t.of_this < self.rules.max_hands and (not split_aces or self.rules.resplit_aces):
            actions |= 1 << SPLIT
        if first:
            if t.surrender == LATE or (t.surrender and self.rules.switches):
                actions |= 1 << SURRENDER
        elif self.may_surrender_any(t):
            actions |= 1 << SURRENDER
        return actions

    cdef inline bint may_surrender_any(self, const round_t *t) noexcept nogil:
        """Whether other hands than the first two cards may be surrendered against this upcard."""
        return self.rules.surrender_any and t.surrender != NO_SURRENDER

    cdef inline int answer(self, round_t *t, const hand_t *hand, int legal) noexcept nogil:
        """What is played: a pair that may be split again is."""
        cdef int action
        if t.n_script != NO_SCRIPT:
            if t.script_at >= t.n_script:
                return STAND
            action = t.script[t.script_at]
            t.script_at += 1
            return action
        if t.pair >= 0:
            if legal & (1 << SPLIT):
                return SPLIT
            if self.split_row[t.start, t.pair] < 0:
                return SAYS_NOTHING
            if hand.doublings:
                return self.doubled_after_split[self.split_row[t.start, t.pair], hand.doublings - 1, hand.node]
            return self.after_split[self.split_row[t.start, t.pair] + hand.is_free, hand.node]
        if hand.doublings:
            return self.doubled[t.start, hand.doublings - 1, hand.node]
        if hand.cards == 2:
            return self.first_action(t, hand)
        return self.unsplit[t.start, hand.node]

    cdef void play_hands(self, round_t *t, int first) noexcept nogil:
        """Play what was dealt as the hand of this number, and the hands that splitting adds to it."""
        cdef int i = first
        while i < first + t.of_this and t.fault == NO_FAULT:
            self.play_hand(t, i)
            i += 1

    cdef void play_two(self, round_t *t) noexcept nogil:
        """Play two hands, each by the first two cards of the other."""
        cdef int start = t.start, first = place_of(&t.hands[0])
        t.start = start + place_of(&t.hands[1])
        if t.hands[0].fate == IN_PLAY:
            self.play_hands(t, 0)
        t.of_first = t.of_this
        if t.fault == NO_FAULT and t.hands[t.of_first].fate == IN_PLAY:
            t.of_this, t.pair, t.start = 1, -1, start + first
            self.play_hands(t, t.of_first)

    cdef inline bint is_over(self, round_t *t, hand_t *hand) noexcept nogil:
        """Whether a hand ends without a question, and how."""
        return (total_of(hand) >= 21 or self.wins_below_21) and self.ends(t, hand)

    cdef bint ends(self, round_t *t, hand_t *hand) noexcept nogil:
        cdef bint charlie = self.rules.charlie and hand.cards >= self.rules.charlie
        cdef const bonus_t *bonus = NULL
        if hand.hard > 21:
            hand.fate = BUSTS
            return True
        if self.rules.n_bonuses:
            bonus = self.bonus_of(t, hand)
        if total_of(hand) < 21 and not charlie and bonus == NULL:
            return False
        if t.pair >= 0 and self.rules.split_blackjack and is_ace_and_ten(hand):
            self.has_blackjack(t, hand)
        elif bonus != NULL:
            hand.fate, hand.pays = GETS_BONUS, bonus.pays
            if charlie:
                hand.pays = bonus.pays_charlie
            elif self.rules.wins_21 and total_of(hand) == 21:
                hand.pays = bonus.pays_21
        elif charlie:
            hand.fate, hand.pays = MAKES_CHARLIE, self.rules.pays_charlie
        elif self.rules.wins_21:
            hand.fate, hand.pays = MAKES_21, UNITS
        elif hand.hard == 21 or hand.doublings or not self.rules.hits_soft_21:
            hand.fate = STANDS
        return hand.fate != IN_PLAY

    cdef void has_blackjack(self, round_t *t, hand_t *hand) noexcept nogil:
        cdef const bonus_t *bonus = self.bonus_of(t, hand)
        hand.fate, hand.pays = HAS_BLACKJACK, self.rules.pays_blackjack if bonus == NULL else bonus.pays_blackjack

    cdef const bonus_t *bonus_of(self, const round_t *t, const hand_t *hand) noexcept nogil:
        """The bonus that a hand gets, or NULL."""
        cdef int i
        for i in range(self.rules.n_bonuses):
            if self.is_for(&self.rules.bonuses[i], t, hand):
                return &self.rules.bonuses[i]
        return NULL

    cdef bint is_for(self, const bonus_t *bonus, const round_t *t, const hand_t *hand) noexcept nogil:
        """Whether a hand of at most 21 gets a bonus."""
        cdef int values[VALUES]
        cdef int tens[4]
        cdef int i, rank, suits = 0
        if not bonus.cards[0] <= hand.cards <= bonus.cards[1]:
            return False
        if not bonus.total[0] <= total_of(hand) <= bonus.total[1]:
            return False
        if bonus.upcard >= 0 and bonus.upcard != value_of(t.dealer.ranks[0]):
            return False
        if (t.pair >= 0 and not bonus.after_split) or (hand.doublings and not bonus.after_double):
            return False
        for i in range(VALUES):
            values[i] = bonus.values[i]
        for i in range(4):
            tens[i] = bonus.tens[i]
        for i in range(hand.cards):
            rank = hand.ranks[i]
            values[value_of(rank)] -= 1
            if rank >= TEN:
                tens[rank - TEN] -= 1
            suits |= 1 << hand.suits[i]
        if bonus.n_ranks:
            for i in range(VALUES):
                if values[i]:
                    return False
            for i in range(4):
                if bonus.names_tens and tens[i]:
                    return False
        for i in range(bonus.n_suits):
            if not suits & ~bonus.suits[i]:
                return True
        return False

    cdef void play_hand(self, round_t *t, int i) noexcept nogil:
        """Play one hand to its end; hands that splitting adds come after it."""
        cdef hand_t *hand = &t.hands[i]
        cdef int action, legal
        cdef bint plain
        while True:
            if hand.cards == 1:
                if not can_draw(t):
                    hand.fate = STANDS
                    return
                self.takes(t, i)
            if self.is_over(t, hand):
                return
            # A hand that was neither split nor doubled may always be hit; what else it may is looked at if asked for.
            plain = t.pair < 0 and not hand.doublings
            legal = 1 << STAND | 1 << HIT if plain else self.legal(t, hand)
            if legal == 1 << STAND:
                hand.fate = STANDS
                return
            action = self.answer(t, hand, legal)
            if plain and action > HIT:
                legal = self.legal(t, hand)
            if action > EVEN_MONEY or not (legal >> action) & 1:
                t.fault = NOT_IN_PLAY if action == SAYS_NOTHING else ILLEGAL
                t.fault_hand, t.fault_action, t.fault_legal = i, action, legal
                return
            if (action == HIT or action == DOUBLE or action == SPLIT) and not can_draw(t):
                action = STAND
            if t.events != NULL:
                note(t, action, i, 0)
            if action == HIT or action == DOUBLE:
                if action == DOUBLE:
                    self.raises(t, hand)
                self.takes(t, i)
            elif action == SPLIT:
                self.split(t, i)
            else:
                hand.fate = STANDS if action == STAND else self.given_up(t, hand)
                return

    cdef inline void raises(self, round_t *t, hand_t *hand) noexcept nogil:
        """A double: free of cost for some first two cards, else by as much again, or more, as is on the hand."""
        hand.before = hand.bet
        if hand.doublings:
            hand.bet *= 2
        elif self.rules.counts_free and hand.cards == 2 and self.rules.free_double[is_soft(hand)][total_of(hand)]:
            hand.free += 1
            self.counts_free(t)
        else:
            hand.bet += self.rules.double_multiple - 1
        hand.doublings += 1

    cdef int given_up(self, const round_t *t, const hand_t *hand) noexcept nogil:
        """How a hand ends that is given up: a doubled one by a rescue, unless a surrender returns more."""
        cdef bint rescued = self.rules.rescues_doubled and hand.doublings
        if rescued and not (self.may_surrender_any(t) and self.rules.surrender_pays_more[hand.doublings > 1]):
            return RESCUED
        return SURRENDERED_EARLY if t.surrender == EARLY else SURRENDERED

    cdef void split(self, round_t *t, int i) noexcept nogil:
        """Make two hands of one; each gets its second card at once, or when its turn comes."""
        cdef int j, left = t.hands[i].ranks[0], right = t.hands[i].ranks[1]
        cdef int left_suit = t.hands[i].suits[0], right_suit = t.hands[i].suits[1]
        cdef bint is_free = t.hands[i].is_free
        for j in range(t.n_hands, i + 1, -1):
            t.hands[j] = t.hands[j - 1]
        t.n_hands += 1
        t.of_this += 1
        t.pair = value_of(left)
        self.start_hand(&t.hands[i], left, left_suit)
        self.start_hand(&t.hands[i + 1], right, right_suit)
        if self.rules.free_split[t.pair]:
            self.counts_free(t)
            self.is_given(&t.hands[i + 1])
            if is_free:
                self.is_given(&t.hands[i])
        if self.rules.in_turn:
            return
        for j in range(i, i + 2):
            if t.drawn < t.size or can_draw(t):
                self.takes(t, j)

    cdef void start_hand(self, hand_t *hand, int rank, int suit) noexcept nogil:
        clear(hand, self.next_hand[self.no_cards(), value_of(rank)])
        hand.suits[0] = <uint8_t> suit
        add_card(hand, rank)

    cdef inline void counts_free(self, round_t *t) noexcept nogil:
        t.free_bets += 1
        count(t, self.rules.counts_free, 1)

    cdef inline void is_given(self, hand_t *hand) noexcept nogil:
        hand.bet, hand.free, hand.is_free = 0, 1, True

    # --------------------------------------------------------------------------- the dealer's turn, and settlement

    cdef void play_dealer(self, round_t *t) noexcept nogil:
        """He turns up or takes his second card if it can matter, and draws if a hand stands against him."""
        cdef int i, up = value_of(t.dealer.ranks[0])
        cdef hand_t *dealer = &t.dealer
        cdef bint draws = False
        for i in range(t.n_hands):
            if t.hands[i].fate == STANDS:
                draws = True
        if dealer.cards == 1 and (draws or up == ACE or up == TEN) and can_draw(t):
            dealer_takes(t, TAKES_CARD)
        if is_ace_and_ten(dealer):
            t.dealer_blackjack = 1
            return
        while draws and self.dealer_draws(dealer):
            if not can_draw(t):
                return
            dealer_takes(t, TAKES_CARD)

    cdef inline bint dealer_draws(self, const hand_t *dealer) noexcept nogil:
        cdef int total = total_of(dealer)
        return total < 17 or (total == 17 and is_soft(dealer) and self.rules.hits_soft_17)

    cdef void settle(self, round_t *t) noexcept nogil:
        cdef int i
        for i in range(t.n_hands):
            count(t, WAGERED, t.hands[i].bet)
        if t.dealer_blackjack:
            if self.rules.switches:
                self.settle_against_blackjack(t, t.of_first, t.n_hands)
            self.settle_against_blackjack(t, 0, t.of_first if self.rules.switches else t.n_hands)
            return
        for i in range(t.n_hands):
            self.settle_hand(t, &t.hands[i])

    cdef void settle_hand(self, round_t *t, const hand_t *hand) noexcept nogil:
        """Settle a hand against a dealer without a blackjack."""
        cdef int total, dealer
        if hand.fate >= MAKES_CHARLIE and hand.fate <= HAS_BLACKJACK or hand.fate == GETS_BONUS:
            count(t, hand.pays, hand.bet + hand.free)
        elif hand.fate == TOOK_EVEN_MONEY:
            count(t, UNITS, 1)
        elif hand.fate == BUSTS:
            count(t, UNITS, -hand.bet)
        elif hand.fate == SURRENDERED or hand.fate == SURRENDERED_EARLY:
            count(t, self.rules.pays_surrender, hand.bet)
        elif hand.fate == RESCUED:
            count(t, UNITS, -hand.before)
        else:
            total, dealer = total_of(hand), total_of(&t.dealer)
            if dealer == 22 and self.rules.pushes_22:
                return
            # A dealer who should draw has found the shoe empty.
            if dealer > 21 or self.dealer_draws(&t.dealer) or total > dealer:
                count(t, UNITS, hand.bet + hand.free)
            elif total < dealer or self.rules.tie_loses[dealer]:
                count(t, UNITS, -hand.bet)

    cdef void settle_against_blackjack(self, round_t *t, int first, int end) noexcept nogil:
        """Settle the hands, from the first to before the end, that came from one that was dealt."""
        cdef int i
        cdef bint split = end > first + 1
        cdef hand_t *hand = &t.hands[first]
        if not split and hand.fate == TOOK_EVEN_MONEY:
            count(t, UNITS, 1)
        elif not split and hand.fate == HAS_BLACKJACK:
            self.settle_tied_blackjack(t, hand)
        elif self.rules.takes == TAKES_ORIGINAL:
            for i in range(first, end):
                if self.was_settled(&t.hands[i]):
                    self.settle_hand(t, &t.hands[i])
            if split or not self.was_settled(hand):
                count(t, UNITS, -1)
        else:
            for i in range(first, end):
                hand = &t.hands[i]
                if self.was_settled(hand):
                    self.settle_hand(t, hand)
                elif hand.fate == HAS_BLACKJACK:
                    self.settle_tied_blackjack(t, hand)
                else:
                    count(t, UNITS, -self.taken(hand))

    cdef inline int taken(self, const hand_t *hand) noexcept nogil:
        """The units of a hand that a dealer's blackjack takes; those that a rescue took back are gone."""
        if self.rules.takes == TAKES_ORIGINAL_PER_HAND:
            return not hand.is_free
        return hand.before if hand.fate == RESCUED else hand.bet

    cdef inline bint was_settled(self, const hand_t *hand) noexcept nogil:
        """Whether a hand was settled before the dealer's blackjack came to light."""
        if hand.fate == MAKES_CHARLIE:
            return self.rules.charlie_beats_blackjack or (self.rules.wins_21 and total_of(hand) == 21)
        return hand.fate == MAKES_21 or hand.fate == SURRENDERED_EARLY or hand.fate == GETS_BONUS

    cdef void settle_tied_blackjack(self, round_t *t, const hand_t *hand) noexcept nogil:
        if self.rules.tied_blackjack == TIE_WINS:
            count(t, hand.pays, hand.bet + hand.free)
        elif self.rules.tied_blackjack == TIE_LOSES:
            count(t, UNITS, -hand.bet)

    # ------------------------------------------------------------------------------------------------- side bets

    cdef void settle_side_bets(self, round_t *t, SideBets bets, more_t *more, int64_t[:, ::1] lines) noexcept nogil:
        """Find the line of each side bet, dealing what they look at and the round did not need."""
        cdef uint8_t kinds[N_PLACES]
        cdef int ending[N_OF_ROUND]
        cdef uint8_t cards[MOST_MORE]  # the dealer's
        cdef hand_t dealer
        cdef int i, asks = bets.asks
        cdef int hole, two = 1 + self.rules.switches
        cdef int third = 2 * two + 1 + (self.rules.hole_card != NO_HOLE_CARD)
        kinds[FIRST], kinds[UPCARD], kinds[SECOND] = kind_of(t.shoe[0]), kind_of(t.shoe[two]), kind_of(t.shoe[two + 1])
        if not asks:
            for i in range(bets.n_bets):
                lines[i, bets.line_of(i, kinds, &t.dealer, cards, t.free_bets, NULL)] += 1
            return
        more.n = 0
        dealer = t.dealer
        if self.can_deal_to_dealer(t, &dealer, more, asks):
            if asks & (ASKS_HOLE | ASKS_DRAWN):
                # What the dealer has after the deal he took last, one card after the other.
                hole = t.drawn + 1 - dealer.cards if self.rules.hole_card == NO_HOLE_CARD else third - 1
                kinds[HOLE] = kind_of(t.shoe[hole])
            if asks & ASKS_CARDS:
                cards[0], cards[1] = kinds[UPCARD], kinds[HOLE]
                for i in range(2, dealer.cards):
                    cards[i] = kind_of(t.shoe[t.drawn + i - dealer.cards])
            if asks & ASKS_DRAWN:
                if dealer.cards > 2:
                    kinds[DRAWN] = kind_of(t.shoe[t.drawn + 2 - dealer.cards])
                elif can_deal(t):
                    kinds[DRAWN] = kind_of(draw_more(t, more))
            if self.rules.switches:
                kinds[THIRD], kinds[FOURTH] = kind_of(t.shoe[1]), kind_of(t.shoe[two + 2])
            elif asks & ASKS_THIRD:
                if t.drawn <= <uint32_t> third and can_deal(t):
                    draw_more(t, more)
                kinds[THIRD] = kind_of(t.shoe[third])
        if t.fault == NO_FAULT:
            if asks & ASKS_ROUND:
                self.find_ending(t, &dealer, ending)
            for i in range(bets.n_bets):
                lines[i, bets.line_of(i, kinds, &dealer, cards, t.free_bets, ending)] += 1
        put_back(t, more)

    cdef bint can_deal_to_dealer(self, round_t *t, hand_t *dealer, more_t *more, int asks) noexcept nogil:
        """Deal what is asked for of the dealer's hand beyond what he has; return whether it was there."""
        while (dealer.cards < 2 and asks & (ASKS_HOLE | ASKS_DRAWN | ASKS_HAND)) or (
            asks & ASKS_HAND and self.dealer_draws(dealer)
        ):
            if not can_deal(t):
                return False
            add_card(dealer, draw_more(t, more) & RANK_BITS)
        return True

    cdef void find_ending(self, const round_t *t, const hand_t *dealer, int *ending) noexcept nogil:
        """Find how the first hand ended against a dealer whose hand was played out."""
        cdef const hand_t *hand = &t.hands[0]
        cdef int total = total_of(hand), against = total_of(dealer)
        ending[RESULT] = self.result_of(t, hand)
        ending[PLAYER_TOTAL], ending[PLAYER_CARDS] = total, hand.cards
        ending[PLAYER_BLACKJACK] = t.n_hands == 1 and is_ace_and_ten(hand)
        ending[DEALER_TOTAL], ending[DEALER_BLACKJACK] = min(against, MORE_THAN_22), is_ace_and_ten(dealer)
        ending[MARGIN] = max(total - against, 0) if ending[RESULT] == WON and against <= 21 else 0
        ending[DEALER_CARDS] = dealer.cards if against <= 21 else 0
        ending[DOUBLED], ending[IS_SPLIT] = hand.doublings > 0, t.n_hands > 1

    cdef int result_of(self, const round_t *t, const hand_t *hand) noexcept nogil:
        """Whether the hand wins, loses, pushes or was given up, whatever is paid."""
        cdef int total = total_of(hand), against = total_of(&t.dealer)
        if hand.fate == SURRENDERED or hand.fate == SURRENDERED_EARLY:
            return GIVEN_UP
        if t.dealer_blackjack and hand.fate != TOOK_EVEN_MONEY and not self.was_settled(hand):
            if hand.fate != HAS_BLACKJACK or (t.n_hands > 1 and self.rules.takes == TAKES_ORIGINAL):
                return LOST
            return PUSHED if self.rules.tied_blackjack == TIE_PUSHES else (
                WON if self.rules.tied_blackjack == TIE_WINS else LOST)
        if hand.fate == BUSTS or hand.fate == RESCUED:
            return LOST
        if hand.fate != STANDS:
            return WON
        if against == 22 and self.rules.pushes_22:
            return PUSHED
        if against > 21 or total > against:
            return WON
        return LOST if total < against or self.rules.tie_loses[against] else PUSHED


cdef inline int place_of(const hand_t *hand) noexcept nogil:
    """Where its first two cards come among all two of values a <= b."""
    cdef int a = value_of(hand.ranks[0]), b = value_of(hand.ranks[1])
    if a > b:
        a, b = b, a
    return a * VALUES - a * (a + 1) // 2 + b


cdef int words_of(int n_counts) except -1:
    if not UNITS < n_counts <= DIGITS * MOST_WORDS:
        raise ValueError("too few or too many counts")
    return (n_counts + DIGITS - 1) // DIGITS


cdef tuple counts_in(const uint64_t *words, int n_counts):
    """Counts as whole numbers; a negative one has borrowed from the next."""
    cdef list counts = []
    cdef int64_t word = 0, digit
    cdef int i
    for i in range(n_counts):
        if i % DIGITS == 0:
            word = <int64_t> words[i // DIGITS]
        digit = ((word + HALF_DIGIT) & (2 * HALF_DIGIT - 1)) - HALF_DIGIT
        counts.append(digit)
        word = (word - digit) // (2 * HALF_DIGIT)
    return tuple(counts)


cdef inline bint can_deal(round_t *t) noexcept nogil:
    """Whether a card that a side bet needs is there, as it must be."""
    if t.drawn == t.size:
        t.fault = NO_CARD_LEFT
    return t.fault == NO_FAULT


cdef list hand_cards(const hand_t *hand):
    cdef int i
    return [hand.ranks[i] for i in range(hand.cards)]


cdef tuple fault(const round_t *t):
    """What went wrong, the action asked for, the legal ones as bits, the hand, the value of the pair that was split."""
    if t.fault == NO_CARD_LEFT:
        return t.fault, -1, 0, [], -1
    return t.fault, t.fault_action, t.fault_legal, hand_cards(&t.hands[t.fault_hand]), t.pair
