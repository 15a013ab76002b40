# What the referee keeps of rules and rounds, and how cards are drawn and counted; included by _simulator.pyx.

# The interface that numpy documents for its bit generators; declared here so that the build needs no numpy.
ctypedef struct bitgen_t:
    void *state
    uint64_t (*next_uint64)(void *state) noexcept nogil
    uint32_t (*next_uint32)(void *state) noexcept nogil
    double (*next_double)(void *state) noexcept nogil
    uint64_t (*next_raw)(void *state) noexcept nogil

cdef enum:
    VALUES = 10, ACE = 0, TEN = 9
    MOST_SPLIT = 4  # hands that splitting leads to
    MOST_HANDS = 2 * MOST_SPLIT
    PAIRS = 55  # of values, in either order
    MOST_CARDS = 22  # 21 aces, and the card that is too many
    MOST_BONUSES = 32
    MOST_DEALT = 256  # more than a round and its side bets ever deal
    # What is counted of a round: units wagered, and units won (less those lost) at each of the odds; the first are 1:1.
    WAGERED = 0, UNITS = 1
    # Counts are the digits of whole words, of either sign, so that a round is few words.
    DIGIT_BITS = 12, DIGITS = 5, MOST_WORDS = 12
    HALF_DIGIT = 1 << (DIGIT_BITS - 1)
    # A card is its rank, and its suit four bits higher; the rounds themselves look at ranks only.
    RANK_BITS = 15
    SUIT_SHIFT = 4

# What is asked for, and what may be answered.
cdef extern from "actions.h":
    enum:
        STAND "ACTION_STAND"
        HIT "ACTION_HIT"
        DOUBLE "ACTION_DOUBLE"
        SPLIT "ACTION_SPLIT"
        SURRENDER "ACTION_SURRENDER"
        INSURANCE "ACTION_INSURANCE"
        EVEN_MONEY "ACTION_EVEN_MONEY"
# An offer that only two hands have, and further events of a traced round.
cdef enum:
    SWITCH = EVEN_MONEY + 1, TAKES_CARD, TAKES_HOLE_CARD, PEEKS

cdef enum:
    PEEK, NO_HOLE_CARD, EXPOSED
cdef enum:
    TAKES_ALL, TAKES_ORIGINAL, TAKES_ORIGINAL_PER_HAND
cdef enum:
    TIE_PUSHES, TIE_WINS, TIE_LOSES
cdef enum:
    NO_SURRENDER, LATE, EARLY

# How a hand ended.
cdef enum:
    IN_PLAY, STANDS, BUSTS, MAKES_CHARLIE, MAKES_21, HAS_BLACKJACK, SURRENDERED, SURRENDERED_EARLY, TOOK_EVEN_MONEY
    RESCUED, GETS_BONUS

# Why a round could not be played on.
cdef enum:
    NO_FAULT, ILLEGAL, NOT_IN_PLAY, NO_CARD_LEFT

cdef enum:
    DEALER = -1, NO_SCRIPT = -1, SAYS_NOTHING = 255


cdef struct bonus_t:
    int cards[2]  # the fewest and the most
    int total[2]
    int n_ranks  # 0 where ranks do not matter, else how many
    int values[VALUES]  # of each
    bint names_tens
    int tens[4]  # of ten, jack, queen and king, if it names them
    int n_suits
    int suits[4]  # sets of suits, in one of which all are
    int upcard  # its value, or -1
    bint after_split, after_double
    int pays, pays_charlie, pays_21, pays_blackjack  # the counts that hands are paid from, those that are as it says too


cdef struct rules_t:
    int hole_card, takes, tied_blackjack, max_hands
    int charlie  # 0 for none
    int double_cards, double_multiple, redoubles
    bint hits_soft_17, pushes_22, wins_21, charlie_beats_blackjack, even_money
    bint switches, switched_blackjack  # two hands; an ace and a ten that an exchange makes
    bint double_after_split, double_split_aces, by_rank, resplit_aces, hit_split_aces, split_blackjack, in_turn
    int n_counts, pays_blackjack, pays_surrender, pays_charlie  # which counts these go to
    int counts_free, counts_raised  # those of free bets and of raised wagers, 0 where there are none
    bint rescues_doubled, surrender_any
    bint surrender_pays_more[2]  # than the rescue of a hand that was doubled once, and again
    bint tie_loses[22]
    bint may_double[2][22]  # hard, soft
    bint free_double[2][22]
    bint free_split[VALUES]
    bint peeks[VALUES]
    bint insurance[VALUES]
    int surrender[VALUES]
    int n_bonuses
    bonus_t bonuses[MOST_BONUSES]  # those that pay most first
    bint hits_soft_21  # more cards may win


cdef struct hand_t:
    uint8_t ranks[MOST_CARDS]
    uint8_t suits[MOST_CARDS]
    int cards
    int hard  # total with every ace as one
    int aces
    int node  # where the play's tables have the hand; -1 once it is over 21
    int bet, before, fate  # units wagered, and those before the last doubling
    int free  # units of free money beside them
    bint is_free  # came from a free split without a wager of its own
    int doublings
    int pays  # the count that a hand which wins at once, or a blackjack, is paid from


cdef struct round_t:
    bitgen_t *generator  # NULL for a shoe in a given order
    uint8_t *shoe
    uint32_t size, drawn
    const uint8_t *replaced  # the cards that are drawn with replacement, and put down in `shoe`;
    uint32_t n_replaced      # 0 where they are not
    bint shuffled  # neither endless nor in a given order
    bint looks_closer  # at each card, since its suit is asked for or somebody listens
    const int32_t *script
    int n_script, script_at
    int32_t *events  # what happened, whose hand, which card; NULL if nobody asks
    int n_events, most_events
    hand_t hands[MOST_HANDS]
    hand_t dealer
    int free_bets  # doubles and splits that cost nothing
    int n_hands
    int of_first  # how many of them came from the first of two hands, where there are two; these come first
    int of_this  # how many came from the one that is being played
    int pair  # value of the cards of that one that were split, -1 before
    int start  # row of the play's tables
    int surrender, insurance_offered, insured
    uint64_t counts[MOST_WORDS]  # how it was settled
    int dealer_blackjack
    int fault, fault_hand, fault_action, fault_legal


cdef inline void count(round_t *t, unsigned int what, int units) noexcept nogil:
    t.counts[what // DIGITS] += <uint64_t> units << (DIGIT_BITS * (what % DIGITS))


cdef inline int value_of(int rank) noexcept nogil:
    return rank if rank < TEN else TEN


cdef inline bint is_soft(const hand_t *hand) noexcept nogil:
    return (hand.aces > 0) & (hand.hard <= 11)


cdef inline int total_of(const hand_t *hand) noexcept nogil:
    return hand.hard + 10 if is_soft(hand) else hand.hard


cdef inline bint is_ace_and_ten(const hand_t *hand) noexcept nogil:
    return hand.cards == 2 and hand.aces == 1 and hand.hard == 11


cdef inline uint32_t below(bitgen_t *generator, uint32_t n) noexcept nogil:
    """A number from 0 to n - 1, each equally likely (Lemire 2019)."""
    cdef uint64_t product = <uint64_t> generator.next_uint32(generator.state) * n
    cdef uint32_t threshold
    if <uint32_t> product < n:
        threshold = (<uint32_t> 0 - n) % n
        while <uint32_t> product < threshold:
            product = <uint64_t> generator.next_uint32(generator.state) * n
    return <uint32_t> (product >> 32)


cdef void note(round_t *t, int what, int whose, int card) noexcept nogil:
    if t.n_events < t.most_events:
        t.events[3 * t.n_events], t.events[3 * t.n_events + 1], t.events[3 * t.n_events + 2] = what, whose, card
        t.n_events += 1


cdef void look_closer(round_t *t, int i, int card) noexcept nogil:
    """Keep the suit of the card that a hand took last, and note it."""
    t.hands[i].suits[t.hands[i].cards - 1] = <uint8_t> (card >> SUIT_SHIFT)
    if t.events != NULL:
        note(t, TAKES_CARD, i, card & RANK_BITS)


cdef inline bint can_draw(round_t *t) noexcept nogil:
    """Whether a card that is needed is there; a given order must have it."""
    if t.drawn < t.size:
        return True
    if t.generator == NULL:
        t.fault = NO_CARD_LEFT
    return False


cdef inline uint32_t pick(round_t *t, bitgen_t *generator) noexcept nogil:
    """Where the next card is: the shoe is shuffled only as far as it is dealt."""
    return t.drawn + below(generator, t.size - t.drawn) if t.shuffled else lay_next(t, generator)


cdef uint32_t lay_next(round_t *t, bitgen_t *generator) noexcept nogil:
    """Where the next card of an endless shoe is, or of one in a given order."""
    if t.n_replaced:
        t.shoe[t.drawn] = t.replaced[below(generator, t.n_replaced)]
    return t.drawn


cdef inline uint8_t exchange(uint8_t *shoe, uint32_t i, uint32_t j) noexcept nogil:
    """Exchange two cards; return that which was at j."""
    cdef uint8_t card = shoe[j]
    shoe[j] = shoe[i]
    shoe[i] = card
    return card


cdef inline int draw_card(round_t *t) noexcept nogil:
    """The next card, with its suit."""
    cdef uint8_t card = exchange(t.shoe, t.drawn, pick(t, t.generator))
    t.drawn += 1
    return card


cdef inline int draw(round_t *t) noexcept nogil:
    """The rank of the next card."""
    return draw_card(t) & RANK_BITS


cdef inline void clear(hand_t *hand, int node) noexcept nogil:
    hand.cards = hand.hard = hand.aces = hand.doublings = 0
    hand.node, hand.bet, hand.fate = node, 1, IN_PLAY
    hand.free = hand.is_free = 0


cdef inline void add_card(hand_t *hand, int rank) noexcept nogil:
    hand.ranks[hand.cards] = <uint8_t> rank
    hand.cards += 1
    hand.hard += value_of(rank) + 1
    hand.aces += rank == ACE


cdef inline void dealer_takes(round_t *t, int what) noexcept nogil:
    cdef int rank = draw(t)
    add_card(&t.dealer, rank)
    if t.events != NULL:
        note(t, what, DEALER, rank)
