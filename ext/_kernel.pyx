# distutils: language = c
"""The compiled kernel: every loop over hands or shoes.

Numbers in, numbers out: rules arrive as plain integers, hands as indexes into the hand graph, shoes as counts. Two
number systems share the code: doubles, and residues modulo a prime in Montgomery form.
"""

from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t, uintptr_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

import os

from odds.errors import KernelError

# Several pointers can be declared on a line only by a name for their type.
ctypedef const uint8_t *bytes_t
ctypedef const int32_t *ints_t

cdef extern from "numbers.h" nogil:
    enum: RANKS
    double TIED_WITHIN
    ctypedef struct field_t:
        uint64_t modulus, negative_inverse, one
    uint64_t add_residue(uint64_t a, uint64_t b, const field_t *f)
    uint64_t sub_residue(uint64_t a, uint64_t b, const field_t *f)
    uint64_t mul_residue(uint64_t a, uint64_t b, const field_t *f)

cdef extern from "dealer_pass.h" nogil:
    enum: LANES, MAX_OUTCOMES, MAX_DRAWS, MAX_ROWS
    ctypedef struct step_t:
        uint16_t depth, drawn
        uint16_t ends[MAX_OUTCOMES]
    void dealer_pass_residue(const step_t *steps, const uint64_t *orders, int n_steps, int n_outcomes,
                             const uint64_t *rows, const uint64_t *inverses, const field_t *field, uint64_t *out)

cdef extern from "vectors.h" nogil:
    void PREFETCH(const void *address)

cdef extern from "actions.h" nogil:
    enum: ACTION_STAND, ACTION_HIT, ACTION_DOUBLE, ACTION_SURRENDER

cdef extern from "hand_sweep.h" nogil:
    enum: START_LANES, MOST_KINDS, MOST_LEVELS
    enum: ROW_VALUE, ROW_HIT_MORE, ROW_DOUBLE_MORE, ROW_GIVEN, ROW_STAND_2, ROW_MORE, N_SWEEP_ROWS
    ctypedef struct sweep_t:
        ints_t listed, next, rows
        bytes_t counts, cards, may, kinds, asked
        uint8_t terms[MOST_KINDS][MAX_OUTCOMES]
        int n_terms[MOST_KINDS]
        int bj_rank[START_LANES]
        int peeks[START_LANES]
        uint8_t offered[MOST_LEVELS][START_LANES]
        const uint8_t *free
        int doubled[MOST_LEVELS][2]
        int order[MOST_LEVELS]
        int adds[MOST_LEVELS]
        int busts[MOST_LEVELS]
        int n_listed, n_outcomes, bust, pair, extra, optimise, later, levels, size, n_gone, reserved, shoe, n_starts
        int hidden
    void hand_sweep_double(const sweep_t *s, int first, const double *left, const double *inverse,
                           const double *dealer, const double *pays, const double *blackjack, const double *given,
                           const double *wagers, double unit,
                           const field_t *field, uint8_t *play, double **rows)
    void hand_sweep_residue(const sweep_t *s, int first, const uint64_t *left, const uint64_t *inverse,
                            const uint64_t *dealer, const uint64_t *pays, const uint64_t *blackjack, const uint64_t *given,
                           const uint64_t *wagers, uint64_t unit,
                            const field_t *field, uint8_t *play, uint64_t **rows)

cdef extern from "full_sweep.h" nogil:
    enum: FULL_LANES, FULL_GONE
    enum: FULL_STANDS, FULL_DRAWS, FULL_DOUBLES, FULL_DOUBLED, FULL_NUMBERED
    ctypedef struct full_hands_t:
        int n
        bytes_t counts, fitting, cards, kind, flags
        const int8_t *second
        ints_t next, terminal, busts
    ctypedef struct full_table_t:
        double counts[RANKS][FULL_LANES]
        double ace_hidden[FULL_LANES]
        double ten_hidden[FULL_LANES]
        double peeks[FULL_LANES]
        double nets[MOST_KINDS]
        double caught_1[MOST_KINDS][FULL_LANES]
        double caught_2[MOST_KINDS][FULL_LANES]
        double inverse[FULL_GONE]
        double small[FULL_GONE]
        int slots, bust, later, total, reserved, hidden

cdef extern from "versions.h" nogil:
    ctypedef struct version_t:
        const char *name
        int full_width
        void (*fill_rows)(const double *gone, const double *cards, long cards_step, const uint8_t *row_rank,
                          const uint8_t *row_drawn, int n_rows, double *rows) noexcept nogil
        void (*dealer_pass)(const step_t *steps, const double *orders, int n_steps, int n_outcomes, const double *rows,
                            const double *inverses, double *out) noexcept nogil
        void (*hand_sweep)(const sweep_t *s, const double *left, const double *inverse, const double *dealer,
                           const double *pays, const double *blackjack, const double *given, const double *wagers,
                           uint8_t *play, double **rows) noexcept nogil
        void (*full_second)(const full_hands_t *g, const full_table_t *t, const uint8_t *gone, int n_gone, int kind,
                            const int32_t *shoes, const double *stands, double *values, double *doubles, double *mores,
                            double *one, double *two, double *units) noexcept nogil
        void (*full_average)(const full_table_t *t, const uint8_t *gone, int n_gone, int pair, double *one, double *two,
                             double *units) noexcept nogil
        void (*full_first)(const full_hands_t *g, const full_table_t *t, const uint8_t *gone, int n_gone,
                           int64_t stride, const double *one, const double *two, const double *units, double *values,
                           double *wagers, double *out_value, double *out_wager) noexcept nogil
    const version_t *version_here(int i)

ctypedef fused num:
    double
    uint64_t


cdef inline num add(num a, num b, const field_t *f) noexcept nogil:
    if num is double: return a + b
    else: return add_residue(a, b, f)


cdef inline num sub(num a, num b, const field_t *f) noexcept nogil:
    if num is double: return a - b
    else: return sub_residue(a, b, f)


cdef inline num mul(num a, num b, const field_t *f) noexcept nogil:
    if num is double: return a * b
    else: return mul_residue(a, b, f)


cdef inline field_t field_of(const uint64_t[::1] field) noexcept nogil:
    cdef field_t f
    f.modulus, f.negative_inverse, f.one = field[0], field[1], field[2]
    return f


# ------------------------------------------------------------------------------------- versions of the hot loops

cdef const version_t *LOOPS = NULL


def versions():
    """Return the names of the versions of the hot loops that this processor can run, the best first."""
    cdef list names = []
    while version_here(<int> len(names)) != NULL:
        names.append(version_here(<int> len(names)).name.decode())
    return tuple(names)


def version():
    """Return the name of the version in use."""
    return LOOPS.name.decode()


def use_version(str name):
    """Choose the version of the hot loops for all that follows. Every version gives the same digits.

    Raises:
        KernelError: there is no version of this name for this processor.
    """
    global LOOPS
    if name not in versions():
        raise KernelError(f"ODDS_KERNEL: expected {' or '.join(versions())} on this processor, got {name!r}")
    LOOPS = version_here(versions().index(name))


use_version(os.environ.get("ODDS_KERNEL") or versions()[0])


# ---------------------------------------------------------------------------------------------- the dealer's trie

# The dealer's totals that end a hand, as outcomes 0..4, and 5 for a bust with 22 where that is told apart; what is left
# of 1 is any other bust.
cdef int FIRST_STANDING_TOTAL = 17

cdef enum:
    MOST_NODES = 4096

cdef struct build_node:
    int32_t child[RANKS]
    int64_t orders     # in which the multiset is drawn, as a final hand or as an unfinished one
    bint leads         # an unfinished hand is here, or further on

# What a pass knows of one dealer start, and of its shoe.
cdef struct pass_t:
    step_t *steps
    const void *orders                       # in the number system of the pass
    const void *cards                        # of rank r, at [r * cards_step], before any are gone
    uint8_t row_rank[MAX_ROWS]
    uint8_t row_drawn[MAX_ROWS]
    int n_steps, n_outcomes, n_rows, max_depth
    int stands_on                            # outcome where the start itself is a final hand, else -1


cdef class DealerTrie:
    """The multisets of cards that a dealer can draw to a start, with the orders in which each can be drawn.

    Independent of the shoe. `start` holds one or two value indexes (0 = ace, 9 = ten-valued). With one card, a
    second card that makes a blackjack ends the hand and is left out. Busts are left out too, being what is left of 1,
    unless `busts`; with `tells_22` a bust with 22 is an outcome as 17 to 21 are. With `draws` the passes find hands of
    so many draws only, at least one.

    For the passes it is laid out as steps: the unfinished hands, each with the cards that finish it. There are three
    times as many final hands that do not bust.
    """

    cdef pass_t laid
    cdef int64_t *orders
    cdef double *orders_as_doubles
    cdef build_node *nodes
    cdef int n_nodes, hard, aces, bj_rank, draws
    cdef int drawn[RANKS]                   # on the way to a node
    cdef int rows[RANKS][MAX_DRAWS + 1]     # the row of a rank of which so many are drawn, 0 where none is asked for
    cdef int terms[MAX_OUTCOMES]
    cdef bint hits_soft_17, busts
    cdef readonly int n_outcomes    # told apart: 17, 18, 19, 20, 21 (and 22)
    cdef readonly int max_depth     # most draws of a final hand
    cdef readonly int n_sequences, n_multisets
    cdef readonly int most_terms    # most unfinished hands that can end on one total

    def __cinit__(self, tuple start, bint hits_soft_17, bint busts=False, bint tells_22=False,
                  int draws=0):
        cdef int value
        self.draws = draws
        self.hits_soft_17, self.busts, self.n_outcomes = hits_soft_17, busts, 6 if tells_22 else 5
        for value in start:
            if not 0 <= value < RANKS:
                raise ValueError("a dealer's card is a value index from 0 to 9")
            self.hard += value + 1
            self.aces += value == 0
        self.bj_rank = -1
        if len(start) == 1 and start[0] in (0, RANKS - 1):
            self.bj_rank = RANKS - 1 - <int> start[0]
        self.nodes = <build_node *> calloc(MOST_NODES, sizeof(build_node))
        if self.nodes == NULL:
            raise MemoryError
        self.n_nodes = self.laid.n_rows = 1
        self.walk(self.hard, self.aces, 0)
        self.laid.steps = <step_t *> calloc(self.n_nodes + 1, sizeof(step_t))
        self.orders = <int64_t *> calloc(self.n_nodes, sizeof(int64_t))
        self.orders_as_doubles = <double *> calloc(self.n_nodes, sizeof(double))
        if self.laid.steps == NULL or self.orders == NULL or self.orders_as_doubles == NULL:
            raise MemoryError
        self.lay(0, 0, 0, self.hard, self.aces)
        self.laid.steps[self.laid.n_steps].depth = 1
        self.laid.n_outcomes, self.laid.max_depth = self.n_outcomes, self.max_depth
        self.laid.stands_on = self.outcome(self.hard, self.aces)

    def __dealloc__(self):
        free(self.nodes)
        free(self.laid.steps)
        free(self.orders)
        free(self.orders_as_doubles)

    cdef int add_sequence(self, int outcome) except -1:
        """Count one order of drawing the multiset `drawn`, which ends with `outcome` or is unfinished (-1)."""
        cdef int rank, j, child, node = 0
        self.nodes[node].leads |= outcome < 0
        for rank in range(RANKS - 1, -1, -1):
            for j in range(self.drawn[rank]):
                child = self.nodes[node].child[rank]
                if child == 0:
                    if self.n_nodes == MOST_NODES:
                        raise OverflowError("a dealer's start of more hands than the kernel holds")
                    child = self.nodes[node].child[rank] = self.n_nodes
                    self.n_nodes += 1
                node = child
                self.nodes[node].leads |= outcome < 0
        self.n_multisets += outcome >= 0 and self.nodes[node].orders == 0
        self.nodes[node].orders += 1
        return 0

    cdef int outcome(self, int hard, int aces) noexcept:
        """Return 0 and on for a hand of the dealer's that ends on 17 and on, n_outcomes for any bust that is not told
        apart, -1 where he draws."""
        cdef bint soft = aces > 0 and hard <= 11
        cdef int total = hard + 10 if soft else hard
        if total > FIRST_STANDING_TOTAL or (total == FIRST_STANDING_TOTAL and not (soft and self.hits_soft_17)):
            return min(total - FIRST_STANDING_TOTAL, self.n_outcomes)
        return -1

    cdef int walk(self, int hard, int aces, int depth) except -1:
        """Follow every order of draws from here to its end."""
        cdef int outcome = self.outcome(hard, aces), value
        if depth > MAX_DRAWS:
            raise OverflowError("a dealer's hand of more draws than the kernel holds")
        if outcome >= 0:
            self.n_sequences += 1
            if outcome < self.n_outcomes:
                self.max_depth = max(self.max_depth, depth)
            return self.add_sequence(outcome) if self.busts or outcome < self.n_outcomes else 0
        self.add_sequence(-1)
        for value in range(RANKS):
            if depth == 0 and value == self.bj_rank:
                self.n_sequences += 1
                continue
            self.drawn[value] += 1
            self.walk(hard + value + 1, aces + (value == 0), depth + 1)
            self.drawn[value] -= 1
        return 0

    cdef int row(self, int rank, int drawn) except -1:
        """Return where the row of the cards left of a rank begins of which so many are drawn."""
        cdef int *n_rows = &self.laid.n_rows
        if self.rows[rank][drawn] == 0:
            if n_rows[0] == MAX_ROWS:
                raise OverflowError("a dealer's start that asks for more rows than the kernel holds")
            self.rows[rank][drawn] = n_rows[0]
            self.laid.row_rank[n_rows[0]], self.laid.row_drawn[n_rows[0]] = rank, drawn
            n_rows[0] += 1
        return self.rows[rank][drawn] * LANES

    cdef int lay(self, int node, int depth, int last, int hard, int aces) except -1:
        """Lay out the steps of a node and of those below it, in pre-order."""
        cdef int value, child, outcome, i = self.laid.n_steps
        cdef step_t *step = &self.laid.steps[i]
        step.depth = depth
        if depth > 0:
            step.drawn = self.row(last, self.drawn[last] - 1)
        if self.outcome(hard, aces) < 0:
            self.orders[i] = self.nodes[node].orders
            self.orders_as_doubles[i] = <double> self.orders[i]
        for value in range(RANKS):
            outcome = self.outcome(hard + value + 1, aces + (value == 0))
            if self.draws and depth + 1 != self.draws:
                continue
            if self.orders[i] and 0 <= outcome < self.n_outcomes and not (depth == 0 and value == self.bj_rank):
                if step.ends[outcome]:
                    raise ValueError("two cards that end a hand of the dealer's alike")
                step.ends[outcome] = self.row(value, self.drawn[value])
                self.terms[outcome] += 1
                self.most_terms = max(self.most_terms, self.terms[outcome])
        self.laid.n_steps += 1
        for value in range(RANKS - 1, -1, -1):
            child = self.nodes[node].child[value]
            if child and self.nodes[child].leads and (not self.draws or depth + 1 < self.draws):
                self.drawn[value] += 1
                self.lay(child, depth + 1, value, hard + value + 1, aces + (value == 0))
                self.drawn[value] -= 1
        return 0

    def multisets(self):
        """Return every final hand as (counts drawn, orders, total); a bust has 22, or 23 where 22 is told apart."""
        cdef list result = []
        self.collect(0, self.hard, self.aces, result)
        return result

    cdef int collect(self, int node, int hard, int aces, list result) except -1:
        cdef int value, child, outcome = self.outcome(hard, aces)
        if outcome >= 0 and self.nodes[node].orders:
            result.append((tuple(self.drawn), self.nodes[node].orders, outcome + FIRST_STANDING_TOTAL))
        for value in range(RANKS - 1, -1, -1):
            child = self.nodes[node].child[value]
            if child:
                self.drawn[value] += 1
                self.collect(child, hard + value + 1, aces + (value == 0), result)
                self.drawn[value] -= 1
        return 0


cdef int _check(bint right, str what) except -1:
    """Refuse arrays that do not belong together: loops take pointers, and do not look again."""
    if not right:
        raise ValueError(f"expected {what}")
    return 0


cdef enum:
    CACHE_LINE = 64


cdef pass_t pass_of(DealerTrie trie, const void *orders, const void *cards) noexcept:
    cdef pass_t result = trie.laid
    result.orders, result.cards = orders, cards
    return result


def dealer_probabilities(list tries, const uint8_t[:, ::1] removed, list cards, num[::1] inverse,
                         const uint64_t[::1] field, num[:, :, ::1] out, const uint8_t[::1] needed=None):
    """Fill `out[i, :, s]` with the joint probabilities of 17, 18, 19, 20, 21 (and 22) without blackjack, for each shoe i
    and dealer start s.

    Args:
        tries: one dealer start, or up to BLOCK of the same outcomes; what is there for those that are missing stays.
        removed: shoes x 10, the cards gone from the base shoe.
        cards: of each start; `cards[r, k]` is the number of cards of rank r left in the base shoe when k are gone, never
            below 0.
        inverse: `inverse[k]` is 1 / (N - k) for base shoes of N cards, 0 where nothing is left.
        field: modulus, -1/modulus mod 2^64, one (ignored for doubles).
        out: shoes x outcomes x (1 or BLOCK).
        needed: by shoe, the starts that it is wanted of, a sum of 1 << start; the others are left as they are. All are
            wanted if it is left out.
    """
    cdef pass_t starts[START_LANES]
    cdef num[:, ::1] of_start
    cdef num[::1] orders
    cdef field_t f = field_of(field)
    cdef DealerTrie trie
    cdef int lane, n = <int> len(tries), lanes = <int> out.shape[2], everyone = (1 << n) - 1, wanted
    cdef Py_ssize_t ends[1 << START_LANES]
    cdef Py_ssize_t i, first, last, n_few = 0
    cdef int32_t[::1] listed, few
    kept = []
    _check(lanes in (1, START_LANES) and 0 < n <= lanes and len(cards) == n, "a start or a block, and their cards")
    _check(out.shape[0] == removed.shape[0] and removed.shape[1] == RANKS, "counts of ten values, a row for each shoe")
    _check(needed is None or needed.shape[0] == removed.shape[0], "the starts that each shoe is wanted of")
    if removed.shape[0] == 0:
        return
    for lane in range(n):
        trie, of_start = tries[lane], cards[lane]
        _check(trie is not None and trie.n_outcomes == out.shape[1], "a trie of these outcomes for each start")
        _check(of_start.shape[0] == RANKS and of_start.shape[1] == cards[0].shape[1], "counts of ten values")
        orders = _orders(trie, &f, inverse)
        kept.append(orders)
        starts[lane] = pass_of(trie, &orders[0], &of_start[0, 0])
    if needed is None:
        with nogil:
            _dealer_probabilities(starts, everyone, &removed[0, 0], NULL, removed.shape[0], of_start.shape[1],
                                  &inverse[0], inverse.shape[0], &f, &out[0, 0, 0], lanes)
        return
    import numpy
    listed, few = numpy.empty((2, len(removed)), dtype=numpy.int32)
    with nogil:
        # Shoes that the same starts want come together; those of which there are few, for each start by itself.
        memset(ends, 0, sizeof(ends))
        for i in range(needed.shape[0]):
            ends[needed[i] & everyone] += 1
        for wanted in range(1, everyone + 1):
            ends[wanted] += ends[wanted - 1]
        for i in range(needed.shape[0] - 1, -1, -1):
            ends[needed[i] & everyone] -= 1
            listed[ends[needed[i] & everyone]] = <int32_t> i
        for wanted in range(1, everyone + 1):
            first, last = ends[wanted], ends[wanted + 1] if wanted < everyone else needed.shape[0]
            for i in range(last - (last - first) % LANES, last):
                few[n_few] = listed[i]
                n_few += 1
            _dealer_probabilities(starts, wanted, &removed[0, 0], &listed[0] + first, (last - first) // LANES * LANES,
                                  of_start.shape[1], &inverse[0], inverse.shape[0], &f, &out[0, 0, 0], lanes)
        for lane in range(n):
            last = 0
            for i in range(n_few):
                listed[last] = few[i]
                last += needed[few[i]] >> lane & 1
            _dealer_probabilities(starts, 1 << lane, &removed[0, 0], &listed[0], last, of_start.shape[1],
                                  &inverse[0], inverse.shape[0], &f, &out[0, 0, 0], lanes)


def one_dealer_distribution(DealerTrie trie not None, tuple counts not None):
    """Return the joint probabilities of 17, 18, 19, 20, 21 (and 22) without blackjack for one shoe of these counts."""
    cdef double cards[RANKS]
    cdef double inverse[MAX_DRAWS + 1]
    cdef double out[MAX_OUTCOMES]
    cdef uint8_t removed[RANKS]
    cdef field_t none
    cdef int64_t total = 0
    cdef int i
    _check(len(counts) == RANKS, "counts of ten values")
    for i in range(RANKS):
        cards[i], removed[i] = counts[i], 0
        total += <int64_t> counts[i]
    for i in range(MAX_DRAWS + 1):
        inverse[i] = 1.0 / (total - i) if total > i else 0.0
    cdef pass_t start = pass_of(trie, trie.orders_as_doubles, cards)
    _dealer_probabilities[double](&start, 1, removed, NULL, 1, 1, inverse, MAX_DRAWS + 1, &none, out, 1)
    return tuple([out[i] for i in range(trie.n_outcomes)])


cdef num[::1] _orders(DealerTrie trie, const field_t *f, num[::1] like):
    """Return the trie's numbers of orders in the number system of an array."""
    cdef num[::1] result
    cdef int i, bit
    if num is double:
        return <double[:trie.laid.n_steps]> trie.orders_as_doubles
    else:
        import numpy
        result = numpy.zeros(trie.laid.n_steps, dtype=numpy.uint64)
        for i in range(trie.laid.n_steps):
            for bit in range(62, -1, -1):
                result[i] = add(result[i], result[i], f)
                if trie.orders[i] >> bit & 1:
                    result[i] = add(result[i], f.one, f)
        return result


cdef void _dealer_probabilities(const pass_t *starts, int wanted, const uint8_t *removed, const int32_t *listed,
                                Py_ssize_t n_shoes, Py_ssize_t cards_step, const num *inverse, Py_ssize_t n_inverse,
                                const field_t *f, num *out, int lanes) noexcept nogil:
    """Fill `out`, shoes x outcomes x `lanes`, for the shoes that are listed, or the first ones, and the starts wanted.

    Of `cards`, `cards[r, 0]` alone is looked at where numbers are doubles.
    """
    cdef num room[(MAX_ROWS + MAX_DRAWS + 1 + MAX_OUTCOMES + RANKS) * LANES + 8]
    # Vectors begin where a cache line does.
    cdef num *rows = <num *> ((<uintptr_t> &room[0] + 63) & ~<uintptr_t> 63)
    cdef num *inverses = rows + MAX_ROWS * LANES
    cdef num *result = inverses + (MAX_DRAWS + 1) * LANES
    cdef num *gone = result + MAX_OUTCOMES * LANES
    cdef num *to
    cdef int32_t shoes[LANES]
    cdef Py_ssize_t at = 0
    cdef int k, o, s, n, most = 0
    for s in range(START_LANES):
        if wanted >> s & 1:
            most = max(most, starts[s].max_depth)
    for k in range(LANES):
        rows[k] = 0
    while at < n_shoes:
        n = <int> min(LANES, n_shoes - at)
        for k in range(LANES):  # the last one stands in for those that are missing
            shoes[k] = listed[at + min(k, n - 1)] if listed else <int32_t> at + min(k, n - 1)
        # Where the results go is sent for while they are worked out.
        for k in range(n):
            to = out + shoes[k] * starts.n_outcomes * lanes
            for o in range(starts.n_outcomes * lanes * <int> sizeof(num) // CACHE_LINE):
                PREFETCH(<const char *> to + o * CACHE_LINE)
        _gather(removed, shoes, inverse, n_inverse, most, gone, inverses)
        for s in range(START_LANES):
            if wanted >> s & 1:
                _pass(&starts[s], gone, cards_step, inverses, f, rows, result)
                for k in range(n):
                    to = out + shoes[k] * starts.n_outcomes * lanes + s
                    for o in range(starts.n_outcomes):
                        to[o * lanes] = result[o * LANES + k]
        at += LANES


cdef inline void _gather(const uint8_t *removed, const int32_t *shoes, const num *inverse, Py_ssize_t n_inverse,
                         int max_depth, num *gone, num *inverses) noexcept nogil:
    """Say what a pass has to know of LANES shoes: the cards gone, and 1 / (cards left when 0, 1, ... are drawn)."""
    cdef const uint8_t *shoe
    cdef num x
    cdef int n_gone[LANES]
    cdef int lane, rank, d, k, differ = 0
    for lane in range(LANES):
        shoe, k = removed + shoes[lane] * RANKS, 0
        for rank in range(RANKS):
            gone[rank * LANES + lane] = shoe[rank]
            k += shoe[rank]
        n_gone[lane] = k
        differ |= k ^ n_gone[0]
    for d in range(max_depth + 1):
        if not differ:
            x = inverse[n_gone[0] + d] if n_gone[0] + d < n_inverse else 0
            for lane in range(LANES):
                inverses[d * LANES + lane] = x
        else:
            for lane in range(LANES):
                k = n_gone[lane] + d
                inverses[d * LANES + lane] = inverse[k] if k < n_inverse else 0


cdef inline void _pass(const pass_t *start, const num *gone, Py_ssize_t cards_step, const num *inverses,
                       const field_t *f, num *rows, num *result) noexcept nogil:
    """Fill `result`, outcomes x LANES, for one start and the shoes that were gathered."""
    cdef const num *cards = <const num *> start.cards
    cdef const num *orders = <const num *> start.orders
    cdef Py_ssize_t away
    cdef int k, lane, rank
    if start.stands_on >= 0:
        for k in range(start.n_outcomes):
            for lane in range(LANES):
                result[k * LANES + lane] = 0
                if k == start.stands_on:
                    result[k * LANES + lane] = 1 if num is double else f.one
        return
    if num is double:
        LOOPS.fill_rows(gone, cards, cards_step, start.row_rank, start.row_drawn, start.n_rows, rows)
        LOOPS.dealer_pass(start.steps, orders, start.n_steps, start.n_outcomes, rows, inverses, result)
    else:
        for k in range(1, start.n_rows):
            rank = start.row_rank[k]
            for lane in range(LANES):
                away = <Py_ssize_t> gone[rank * LANES + lane] + start.row_drawn[k]
                rows[k * LANES + lane] = cards[rank * cards_step + away]
        dealer_pass_residue(start.steps, orders, start.n_steps, start.n_outcomes, rows, inverses, f, result)


# ----------------------------------------------------------------------------------------------- the player's hands

# What is added here has the numbers of `odds.engine.actions`.
TIE = TIED_WITHIN

# How many dealer starts `BlockSweep` takes side by side.
BLOCK = START_LANES

# Rows of a table of values after those of the actions: of the play, of the units that it adds to the first after a hit
# and after a double, of giving up; and in a sweep's own of all that the play adds.
VALUE_ROW, HIT_MORE_ROW, DOUBLE_MORE_ROW, GIVEN_ROW = ROW_VALUE, ROW_HIT_MORE, ROW_DOUBLE_MORE, ROW_GIVEN
MORE_ROW, SWEEP_ROWS = ROW_MORE, N_SWEEP_ROWS


cdef class HandGraph:
    """The graph of player hands: multisets of at most 21 (hard), by hard total, descending.

    Every hit leads to an earlier index, so that one sweep in the order of the indexes values every hand.
    """

    cdef readonly object counts, next_hand, total, soft, cards
    cdef const uint8_t[:, ::1] _counts
    cdef const int32_t[:, ::1] _next
    cdef const uint8_t[::1] _cards
    cdef const int32_t[::1] _all
    cdef list _holding
    cdef readonly int size

    def __cinit__(self, counts, next_hand, total, soft, cards):
        import numpy
        self.counts, self.next_hand, self.total, self.soft, self.cards = counts, next_hand, total, soft, cards
        self._counts, self._next, self._cards = counts, next_hand, cards
        self.size = self._counts.shape[0]
        self._all = numpy.arange(self.size, dtype=numpy.int32)
        self._holding = [numpy.flatnonzero(counts[:, pair]).astype(numpy.int32) for pair in range(RANKS)]

    cdef int prepare(self, sweep_t *s, const uint8_t[::1] may, const uint8_t[::1] kinds, int levels, int pair, int extra,
                     bint optimise) except -1:
        """Say which hands to sweep over, all, or with `extra` cards gone those that hold the card `pair`; what may be
        done with them, and of what kind they are, at each level if there are `levels`."""
        cdef const int32_t[::1] listed = self._holding[pair] if extra > 0 else self._all
        cdef int i, level, last = 0, later = 0
        _check(0 <= levels <= MOST_LEVELS, "fewer levels")
        _check(may.shape[0] == kinds.shape[0] == max(levels, 1) * self.size, "one entry for each hand and level")
        s.levels, s.size = levels, self.size
        s.n_listed, s.listed, s.counts, s.next = <int> listed.shape[0], &listed[0], &self._counts[0, 0], &self._next[0, 0]
        s.cards, s.may, s.kinds = &self._cards[0], &may[0], &kinds[0]
        for i in range(self.size):
            later |= (s.cards[i] > 2) & s.may[i] >> ACTION_DOUBLE
        for i in range(kinds.shape[0]):
            last = max(last, s.kinds[i])
        for level in range(levels):
            s.adds[level] = 0
            for i in range(level * self.size, (level + 1) * self.size):
                s.adds[level] |= s.may[i] & (1 << ACTION_HIT | 1 << ACTION_DOUBLE)
            _check(s.doubled[level][0] < levels and s.doubled[level][1] < levels
                   and (s.doubled[level][0] >= 0 or not s.adds[level] >> ACTION_DOUBLE & 1), "a level for each double")
        s.pair, s.extra, s.optimise, s.later, s.asked = pair, extra, optimise, later, NULL
        return _check(last < s.bust, "kinds of hands before that of a bust")


cdef int prepare_levels(sweep_t *s, const int32_t[:, ::1] moves, const uint8_t[::1] free, int size) except -1:
    """Say where doubles lead, and of what kind a hand is that busts, at each level."""
    cdef int level, step, n = 0
    cdef bint leads[MOST_LEVELS]
    s.levels, s.free, s.order[0] = <int> moves.shape[0], &free[0], 0
    _check(s.levels <= MOST_LEVELS and moves.shape[1] == 3 and free.shape[0] == size, "what a double does at each level")
    for level in range(s.levels):
        s.doubled[level][0], s.doubled[level][1], s.busts[level] = moves[level, 0], moves[level, 1], moves[level, 2]
        _check(0 <= s.busts[level] <= s.bust, "a kind of busted hands")
        leads[level] = False
    for level in range(2 * s.levels):
        if moves[level // 2, level % 2] >= 0:
            leads[moves[level // 2, level % 2]] = True
    for step in range(2 * s.levels):
        level = step % s.levels
        if leads[level] == (step >= s.levels):
            s.order[n] = level
            n += 1
    return 0


cdef int prepare_pays(sweep_t *s, num[:, ::1] pays) except -1:
    """Say at which totals of the dealer's a kind of hand nets something else than at a bust; a bust is the last kind."""
    cdef int kind, o
    s.n_outcomes, s.bust = <int> pays.shape[1] - 1, <int> pays.shape[0] - 1
    _check(pays.shape[0] <= MOST_KINDS and pays.shape[1] <= 1 + MAX_OUTCOMES, "fewer kinds of hands, or totals")
    for kind in range(pays.shape[0]):
        s.n_terms[kind] = 0
        for o in range(s.n_outcomes):
            if pays[kind, 1 + o] != 0:
                s.terms[kind][s.n_terms[kind]] = o
                s.n_terms[kind] += 1
    return 0


cdef void prepare_starts(sweep_t *s, const int32_t[::1] hidden, const uint8_t[::1] peeks) noexcept nogil:
    """Say behind which starts what card makes a blackjack; starts that are not there are as the last one."""
    cdef int lane, n = <int> hidden.shape[0]
    s.hidden, s.n_starts = 0, n
    for lane in range(START_LANES):
        s.bj_rank[lane], s.peeks[lane] = hidden[min(lane, n - 1)], peeks[min(lane, n - 1)]
        s.hidden |= s.bj_rank[lane] >= 0


def sweep(HandGraph graph, const uint8_t[::1] may, const uint8_t[::1] kinds, num[:, ::1] pays, num[:, ::1] blackjack,
          num[:, ::1] dealer, const int32_t[::1] rows, num[:, ::1] cards, num[::1] inverse, num[::1] small,
          int total, int reserved, int hidden, bint peeks, const uint64_t[::1] field, num[:, ::1] given,
          num[::1] wagers, const uint8_t[::1] offered, const int32_t[:, ::1] moves, const uint8_t[::1] free, int pair,
          int extra, bint optimise, uint8_t[::1] play, num[:, ::1] out):
    """Value the hands of one dealer start; with `extra` > 0 those of a split of `pair`.

    Args:
        graph: the hands. With levels, H is the number of hands times levels: what is told of hands of the first level
            comes first.
        may: by hand a set of actions, a sum of 1 << number.
        kinds: by hand, its kind if it ends as it is.
        pays: kinds x (1 + dealer's totals): what a hand of one unit nets where the dealer busts, and by how much that
            differs at each of his totals. The last kind is that of a busted hand.
        blackjack: kinds x 2: what it nets against a hidden blackjack with one unit and with two, on the scale of the
            values.
        dealer: the dealer's probabilities, as `dealer_probabilities` fills them.
        rows: for each hand the row of `dealer` whose shoe lacks that hand (and the extra pair cards).
        cards, inverse, field: see `dealer_probabilities`.
        small: the numbers 0, 1, 2, ... in this number system.
        total: cards in the base shoe.
        reserved: how many of them the player cannot draw.
        hidden: the dealer's second card that makes a blackjack, or -1.
        peeks: the dealer has looked for it.
        given: by level, what a hand that is given up nets without a hidden blackjack and against one.
        wagers: by level what its nets are times, then by level one's own units; empty where a doubled hand only
            stands, with two units.
        offered: by level, whether a hand may be given up.
        moves: levels x 3: the level to which a double of one's own leads, -1 if none, and a free one; the kind of a
            hand that busts.
        free: by hand, whether its double is free.
        pair: the value index of the pair card of a split.
        extra: how many of them are gone beside those in the hand; 0 before a split.
        optimise: find the play (doubles only), or follow the one given.
        play: by hand an action.
        out: SWEEP_ROWS x H: stand, hit, double, value under the play, units that it adds to the first after a hit and
            after a double, giving up (the last two only with levels); and two rows to work in. On the joint scale: payoff times no dealer blackjack, less what a dealer blackjack
            takes per hand; units jointly with none where he has looked for one.
    """
    cdef field_t f = field_of(field)
    cdef sweep_t s
    cdef num *to[N_SWEEP_ROWS]
    cdef int row
    prepare_pays(&s, pays)
    prepare_levels(&s, moves, free, graph.size)
    graph.prepare(&s, may, kinds, s.levels, pair, extra, optimise)
    _check(given.shape[0] == offered.shape[0] == s.levels and given.shape[1] == 2 and wagers.shape[0] == 2 * s.levels,
           "a hand given up at each level")
    for row in range(s.levels):
        s.offered[row][0] = offered[row]
    s.rows, s.n_gone, s.shoe, s.reserved = &rows[0], <int> cards.shape[1], total, reserved
    s.hidden, s.n_starts, s.bj_rank[0], s.peeks[0] = hidden >= 0, 1, hidden, peeks
    _check(dealer.shape[1] == s.n_outcomes and cards.shape[0] == RANKS, "a number for each total, counts of ten values")
    _check(blackjack.shape[0] == pays.shape[0] and blackjack.shape[1] == 2, "what each kind nets against a blackjack")
    _check(rows.shape[0] == graph.size and play.shape[0] == out.shape[1] == may.shape[0]
           and out.shape[0] == N_SWEEP_ROWS, "a place for each hand")
    _check(num is double or not optimise, "a play, which is found in doubles only")
    for row in range(N_SWEEP_ROWS):
        to[row] = &out[row, 0]
    with nogil:
        if num is double:
            hand_sweep_double(&s, 0, &cards[0, 0], &inverse[0], &dealer[0, 0], &pays[0, 0], &blackjack[0, 0],
                              &given[0, 0] if s.levels else NULL, &wagers[0] if s.levels else NULL, small[1],
                              &f, &play[0], to)
        else:
            hand_sweep_residue(&s, 0, &cards[0, 0], &inverse[0], &dealer[0, 0], &pays[0, 0], &blackjack[0, 0],
                              &given[0, 0] if s.levels else NULL, &wagers[0] if s.levels else NULL, small[1],
                               &f, &play[0], to)


cdef inline int lanes_with(const uint8_t *actions, int action) noexcept nogil:
    """Return the starts that play an action, as a sum of 1 << start; `actions` is at a multiple of their number."""
    # A byte of zero is where an action is this one; the multiplication brings one bit of each together.
    cdef uint64_t each = (<const uint64_t *> actions)[0] ^ <uint64_t> action * <uint64_t> 0x0101010101010101
    each = ~(((each & <uint64_t> 0x7F7F7F7F7F7F7F7F) + <uint64_t> 0x7F7F7F7F7F7F7F7F) | each)
    return <int> (((each >> 7 & <uint64_t> 0x0101010101010101) * <uint64_t> 0x0102040810204080) >> 56)


cdef class BlockSweep:
    """Sweeps over the hands of up to BLOCK dealer starts side by side, in doubles; see `sweep`.

    The last axis of each array is that of the starts, BLOCK of them and aligned to it (`block_zeros`).
    """

    cdef HandGraph graph
    cdef sweep_t of_all
    cdef const double[:, ::1] pays, inverse
    cdef const double[:, :, ::1] blackjack, dealer, cards, given
    cdef const double[::1] wagers
    cdef const uint8_t[::1] free

    def __init__(self, HandGraph graph, const double[:, ::1] pays, const double[:, :, ::1] blackjack,
                 const double[:, :, ::1] dealer, const double[:, :, ::1] cards, const double[:, ::1] inverse,
                 int total, int reserved, const int32_t[::1] hidden, const uint8_t[::1] peeks,
                 const double[:, :, ::1] given, const double[::1] wagers, const uint8_t[:, ::1] offered,
                 const int32_t[:, ::1] moves, const uint8_t[::1] free):
        """Take what a sweep needs to know: `pays`, `total`, `reserved`, `wagers`, `moves` and `free` of all starts,
        `hidden` and `peeks` of each that is there; `given` and `offered` have an axis of starts more."""
        cdef int level, lane
        self.graph, self.pays, self.blackjack, self.dealer = graph, pays, blackjack, dealer
        self.cards, self.inverse = cards, inverse
        _check_block(blackjack.shape[2], &blackjack[0, 0, 0])
        _check_block(dealer.shape[2], &dealer[0, 0, 0])
        _check_block(cards.shape[2], &cards[0, 0, 0])
        _check_block(inverse.shape[1], &inverse[0, 0])
        _check(0 < hidden.shape[0] == peeks.shape[0] <= START_LANES, "up to a block of starts")
        prepare_pays[double](&self.of_all, <double[:pays.shape[0], :pays.shape[1]]> <double *> &pays[0, 0])
        _check(dealer.shape[1] == self.of_all.n_outcomes and cards.shape[0] == RANKS,
               "a number for each total, counts of ten values")
        _check(blackjack.shape[0] == pays.shape[0] and blackjack.shape[1] == 2, "what each kind nets against a blackjack")
        prepare_starts(&self.of_all, hidden, peeks)
        self.of_all.n_gone, self.of_all.shoe, self.of_all.reserved = <int> cards.shape[1], total, reserved
        self.given, self.wagers, self.free = given, wagers, free
        prepare_levels(&self.of_all, moves, free, graph.size)
        _check(given.shape[0] == offered.shape[0] == self.of_all.levels and wagers.shape[0] == 2 * self.of_all.levels
               and given.shape[1] == 2 and offered.shape[1] == START_LANES, "a hand given up at each level")
        if self.of_all.levels:
            _check_block(given.shape[2], &given[0, 0, 0])
        for level in range(self.of_all.levels):
            for lane in range(START_LANES):
                self.of_all.offered[level][lane] = offered[level, lane]

    def unsplit(self, const int32_t[::1] rows, const uint8_t[::1] may, const uint8_t[::1] kinds, bint optimise,
                double[:, :, ::1] room, uint8_t[:, ::1] play, double[:, :, ::1] out, uint8_t[:, ::1] out_play):
        """Value the hands before a split.

        Args, where they are not those of `sweep`:
            room: SWEEP_ROWS x H x starts; filled as `out` of `sweep` is, but for the last axis; the units after a hit
                only if `out` has a row for them.
            play: by hand and start.
            out: starts (as many as there are) x n x H; the first n rows of `room`.
            out_play: starts x H; the same as `play`.
        """
        cdef sweep_t s = self.of_all
        cdef int row, h, lane
        _check_block(room.shape[2], &room[0, 0, 0])
        _check(room.shape[0] == N_SWEEP_ROWS and play.shape[1] == START_LANES and
               out.shape[0] == out_play.shape[0] <= START_LANES, "rows of each start")
        _check(rows.shape[0] == self.graph.size
               and room.shape[1] == play.shape[0] == out.shape[2] == out_play.shape[1] == may.shape[0],
               "a place for each hand")
        self.graph.prepare(&s, may, kinds, s.levels, 0, 0, optimise)
        _check(out.shape[1] == (ROW_GIVEN + 1 if s.levels else ROW_HIT_MORE + 1 if s.later else ROW_HIT_MORE),
               "a row for each value")
        s.rows = &rows[0]
        with nogil:
            self.run(&s, &play[0, 0], &room[0, 0, 0], room.shape[1], 0)
            for row in range(out.shape[1]):
                for h in range(out.shape[2]):
                    for lane in range(out.shape[0]):
                        out[lane, row, h] = room[row, h, lane]
            for h in range(out_play.shape[1]):
                for lane in range(out_play.shape[0]):
                    out_play[lane, h] = play[h, lane]

    def follow(self, list pairs, const int32_t[:, :, ::1] rows, const uint8_t[:, ::1] may, const uint8_t[::1] kinds,
               int first, const int32_t[::1] extras, const int32_t[:, ::1] second, uint8_t[:, :, ::1] play, int known,
               uint8_t[:, ::1] asked, uint8_t[::1] needed):
        """Follow plays from the two-card hands of splits, to see what of them is to be valued.

        Args, where they are not those of `splits`:
            first: the fewest cards gone.
            play: hands that may only stand are put down as standing.
            known: how many rows of the dealer's probabilities are known.
            asked: P x H: which actions are asked for by any start, a sum of 1 << number; 0 where none comes.
            needed: by row of the dealer's probabilities, the starts to which it matters, a sum of 1 << start.
        """
        cdef const int32_t[::1] holding
        cdef const int32_t *next_hand
        cdef const uint8_t *actions
        cdef uint8_t[:, ::1] come, stood
        cdef Py_ssize_t size = self.graph.size, state
        cdef int number, step, level, to, levels = max(self.of_all.levels, 1), i, j, h, r, lane, extra, pair, can
        cdef int who, stands, hits, doubles, gives, everyone = (1 << self.of_all.n_starts) - 1, n = <int> len(pairs)
        _check(n == may.shape[0] == extras.shape[0] == second.shape[0] == play.shape[0] == asked.shape[0] <= RANKS,
               "something for each pair")
        _check(play.shape[1] == asked.shape[1] == may.shape[1] == kinds.shape[0] == levels * size
               and rows.shape[2] == size, "a place for each hand")
        _check(play.shape[2] == START_LANES and rows.shape[0] == RANKS, "a place for each start of a block, for each pair")
        for number in range(n):
            _check(0 <= extras[number] < rows.shape[1] and first > 0, "room for the cards gone")
        import numpy
        come, stood = numpy.zeros((2, n, levels * size), dtype=numpy.uint8)
        for number in range(n):
            pair = pairs[number]
            holding = self.graph._holding[pair]
            with nogil:
                for i in range(second.shape[1]):
                    come[number, second[number, i]] = everyone
                for step in range(levels):
                    level = self.of_all.order[step]
                    for j in range(holding.shape[0] - 1, -1, -1):
                        h = holding[j]
                        to = self.of_all.doubled[level][self.free[h]] if self.of_all.levels else -1
                        state = level * size + h
                        can, actions = may[number, state], &play[number, state, 0]
                        if not can & (1 << ACTION_HIT | 1 << ACTION_DOUBLE | 1 << ACTION_SURRENDER):
                            for lane in range(START_LANES):
                                play[number, state, lane] = ACTION_STAND
                        who = come[number, state]
                        if not who | stood[number, state]:
                            continue
                        hits = lanes_with(actions, ACTION_HIT) & who
                        doubles = lanes_with(actions, ACTION_DOUBLE) & who
                        gives = lanes_with(actions, ACTION_SURRENDER) & who
                        # Who has no card to draw, or may not do what he plays, stands.
                        stands = who & ~(hits | doubles) | stood[number, state]
                        if self.of_all.shoe - self.graph._cards[h] - extras[number] <= self.of_all.reserved or (
                                (hits and not can >> ACTION_HIT & 1) or (doubles and not can >> ACTION_DOUBLE & 1)):
                            stands = who | stood[number, state]
                        asked[number, state] = ((stands > 0) << ACTION_STAND | (hits > 0) << ACTION_HIT
                                                | (doubles > 0) << ACTION_DOUBLE | (gives > 0) << ACTION_SURRENDER)
                        if hits | doubles:
                            next_hand = &self.graph._next[h, 0]
                            for r in range(RANKS):
                                if next_hand[r] < 0:
                                    break
                                come[number, level * size + next_hand[r]] |= hits
                                if to >= 0:
                                    come[number, to * size + next_hand[r]] |= doubles
                                else:
                                    stood[number, level * size + next_hand[r]] |= doubles
                        if stands and self.of_all.n_terms[kinds[state]]:
                            for extra in range(first, extras[number] + 1):
                                if rows[pair, extra, h] >= known:
                                    needed[rows[pair, extra, h]] |= stands

    def splits(self, list pairs, const int32_t[:, :, ::1] rows, const uint8_t[:, ::1] may, const uint8_t[::1] kinds,
               int first, const int32_t[::1] extras, bint optimise, const int32_t[:, ::1] second,
               double[:, :, ::1] room, uint8_t[:, :, ::1] play, double[:, :, :, ::1] out, double[:, :, :, ::1] more,
               const uint8_t[:, ::1] asked=None):
        """Value the hands of splits, with `first` or more pair cards gone beside those in the hand.

        Args:
            pairs: value indexes of the pair cards, P of them, to which the first axis of what follows belongs.
            rows: by pair value (ten of them), number of cards gone (from 0) and hand, as for `sweep`.
            may: P x H, as for `sweep`.
            kinds: by hand, of all splits.
            first: the fewest cards gone, at least 1.
            extras: by pair, the most cards gone.
            optimise: find the play; else follow the one given.
            second: P x n, the two-card hands of which values are wanted.
            room: as for `unsplit`.
            play: P x H x starts.
            out: the values of those hands: P x number of cards gone (from 0, which is left as it is) x n x starts.
            more: the units that the play adds to the first of each, likewise.
            asked: what of a play that is followed is to be valued, as `follow` fills it; all if left out.
        """
        cdef int32_t[::1] visited
        cdef sweep_t prepared[RANKS]
        cdef sweep_t *s
        cdef int number, extra, i, h, lane, level, any_level, n = <int> len(pairs)
        _check_block(room.shape[2], &room[0, 0, 0])
        _check(n <= RANKS and may.shape[0] == extras.shape[0] == second.shape[0] == n
               and play.shape[0] == out.shape[0] == more.shape[0] == n, "something for each pair")
        _check(rows.shape[0] == RANKS and rows.shape[2] == self.graph.size and room.shape[0] == N_SWEEP_ROWS
               and room.shape[1] == play.shape[1] == may.shape[1], "a place for each hand")
        _check(play.shape[2] == out.shape[3] == more.shape[3] == START_LANES, "a place for each start of a block")
        _check(out.shape[2] == more.shape[2] == second.shape[1] and out.shape[1] == more.shape[1],
               "a place for each two-card hand")
        _check(asked is None or (asked.shape[0] == n and asked.shape[1] == may.shape[1] and not optimise),
               "a place for each hand of a play that is followed")
        for number in range(n):
            _check(0 <= extras[number] < out.shape[1] and extras[number] < rows.shape[1] and first > 0,
                   "room for the cards gone")
        import numpy
        visited = numpy.empty(self.graph.size, dtype=numpy.int32)
        for number in range(n):
            s = &prepared[number]
            s[0] = self.of_all
            self.graph.prepare(s, may[number], kinds, s.levels, pairs[number], 1, optimise)
        with nogil:
            for number in range(n):
                s = &prepared[number]
                if asked is not None:
                    i = 0
                    for h in range(s.n_listed):
                        visited[i], any_level = s.listed[h], 0
                        for level in range(max(s.levels, 1)):
                            any_level |= asked[number, level * s.size + s.listed[h]]
                        i += any_level != 0
                    s.listed, s.n_listed, s.asked = &visited[0], i, &asked[number, 0]
                for extra in range(first, extras[number] + 1):
                    s.extra, s.rows = extra, &rows[s.pair, extra, 0]
                    self.run(s, &play[number, 0, 0], &room[0, 0, 0], room.shape[1], 1)
                    for i in range(second.shape[1]):
                        for lane in range(START_LANES):
                            out[number, extra, i, lane] = room[ROW_VALUE, second[number, i], lane]
                            more[number, extra, i, lane] = room[ROW_MORE, second[number, i], lane]

    cdef void run(self, const sweep_t *s, uint8_t *play, double *room, Py_ssize_t size, bint play_only) noexcept nogil:
        cdef double *to[N_SWEEP_ROWS]
        cdef int row
        for row in range(N_SWEEP_ROWS):
            to[row] = NULL
            if row >= ROW_STAND_2 or row == ROW_VALUE or (
                    not play_only and (row < ROW_VALUE or s.levels or (row == ROW_HIT_MORE and s.later))):
                to[row] = room + row * size * START_LANES
        LOOPS.hand_sweep(s, &self.cards[0, 0, 0], &self.inverse[0, 0], &self.dealer[0, 0, 0], &self.pays[0, 0],
                         &self.blackjack[0, 0, 0], &self.given[0, 0, 0] if s.levels else NULL,
                         &self.wagers[0] if s.levels else NULL, play, to)


cdef int _check_block(Py_ssize_t lanes, const double *first) except -1:
    if lanes != START_LANES or <uintptr_t> first % (START_LANES * sizeof(double)):
        raise ValueError(f"expected an array of {START_LANES} starts side by side, aligned to them")
    return 0


def block_zeros(*shape):
    """Return zeros of this shape with one axis more, of BLOCK starts, laid out as `BlockSweep` wants them."""
    import numpy
    cdef Py_ssize_t n = START_LANES, skip
    for size in shape:
        n *= size
    room = numpy.zeros(n + START_LANES)
    skip = -(room.ctypes.data // 8) % START_LANES
    return room[skip:skip + n].reshape((*shape, START_LANES))


def reach(HandGraph graph, const uint8_t[::1] play, const int64_t[::1] counts, int pair, int extra,
          const int32_t[::1] rows, const int32_t[:, ::1] moves, const uint8_t[::1] free, uint8_t[::1] reached,
          uint8_t[::1] needed):
    """Follow a play from some hands; return the most cards that a hand has when it ends, extra pair cards included.

    Args:
        graph: the hands.
        play: by hand, and level, an action.
        counts: the cards of each value in the shoe before the player's hand.
        pair: the pair card of a split.
        extra: how many of them are gone beside those in the hand.
        rows, moves, free: as for `sweep`.
        reached: by hand; on entry the hands to start from, on return all that are come through.
        needed: by row; set to 1 where the play stands, or has doubled and stands.
    """
    cdef sweep_t s
    cdef int h, r, next_h, left, action, most = 0
    cdef Py_ssize_t at, step, levels = play.shape[0] // graph.size
    s.bust = MOST_KINDS
    prepare_levels(&s, moves, free, graph.size)
    _check(play.shape[0] == reached.shape[0] == levels * graph.size and levels == max(s.levels, 1), "a place for each hand")
    with nogil:
        for step in range(levels):
            at = s.order[step] * graph.size
            for h in range(graph.size - 1, -1, -1):
                if not reached[at + h]:
                    continue
                action = play[at + h]
                if action != ACTION_HIT and action != ACTION_DOUBLE:
                    needed[rows[h]] |= action == ACTION_STAND
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
                    if action == ACTION_HIT:
                        reached[at + next_h] = 1
                    elif s.levels:
                        reached[s.doubled[s.order[step]][free[h]] * graph.size + next_h] = 1
                    else:
                        needed[rows[next_h]] = 1
    return most


include "card_sets.pxi"
include "pairs.pxi"
include "full.pxi"
include "chart.pxi"
include "resplits.pxi"
