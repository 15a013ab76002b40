# Sets of cards as whole numbers, and the numbering of those that are met: included by `_kernel.pyx`.
#
# A set has SET_BITS bits for the number of its cards of each value, so that the sets of two hands add up to their union.

cdef enum:
    _SET_BITS = 6
    _MOST_OF_VALUE = 63

SET_BITS = _SET_BITS


cdef int64_t[::1] set_keys(const uint8_t[:, ::1] counts):
    """Return each row of counts as one number."""
    import numpy
    cdef int64_t[::1] keys = numpy.zeros(counts.shape[0], dtype=numpy.int64)
    cdef Py_ssize_t i, r
    for i in range(counts.shape[0]):
        for r in range(RANKS):
            keys[i] += (<int64_t> counts[i, r]) << (_SET_BITS * r)
    return keys


cdef class CardSets:
    """Sets of cards, each with a number that it is given when it is met first; a hash table with open addresses."""

    cdef int64_t[::1] table   # the set at each place, -1 where there is none
    cdef int32_t[::1] numbers
    cdef int64_t[::1] kept    # by number
    cdef int64_t used
    cdef int n

    def __cinit__(self):
        import numpy
        self.table, self.numbers = numpy.full(1 << 14, -1, dtype=numpy.int64), numpy.zeros(1 << 14, dtype=numpy.int32)
        self.kept = numpy.zeros(1 << 12, dtype=numpy.int64)

    cdef int reserve(self, int64_t more) except -1:
        """Make room for so many sets more."""
        import numpy
        cdef int64_t room = self.table.shape[0], kept = self.kept.shape[0], old, place
        cdef int64_t[::1] table = self.table
        cdef int32_t[::1] numbers = self.numbers
        while 2 * (self.used + more) > room:
            room *= 4
        while self.n + more > kept:
            kept *= 2
        if kept > self.kept.shape[0]:
            self.kept = numpy.resize(numpy.asarray(self.kept), kept)
        if room == table.shape[0]:
            return 0
        self.table, self.numbers = numpy.full(room, -1, dtype=numpy.int64), numpy.zeros(room, dtype=numpy.int32)
        with nogil:
            for old in range(table.shape[0]):
                if table[old] >= 0:
                    place = self.place(table[old])
                    self.table[place], self.numbers[place] = table[old], numbers[old]
        return 0

    cdef inline int64_t place(self, int64_t key) noexcept nogil:
        """Return where a set is, or would be."""
        cdef int64_t last = self.table.shape[0] - 1, place
        cdef uint64_t mixed = <uint64_t> key * <uint64_t> 0x9E3779B97F4A7C15
        mixed ^= mixed >> 29
        place = <int64_t> ((mixed * <uint64_t> 0xBF58476D1CE4E5B9) >> 20) & last
        while self.table[place] >= 0 and self.table[place] != key:
            place = (place + 1) & last
        return place

    cdef inline int32_t number(self, int64_t key, const uint8_t *limits) noexcept nogil:
        """Return the number of a set, -1 if it has more cards of a value than `limits` says; there must be room."""
        cdef int64_t place = self.place(key)
        cdef bint fits = True
        cdef int r
        if self.table[place] < 0:
            if limits != NULL:
                for r in range(RANKS):
                    fits = fits and ((key >> (_SET_BITS * r)) & _MOST_OF_VALUE) <= limits[r]
            self.table[place], self.numbers[place] = key, self.n if fits else -1
            self.used += 1
            if fits:
                self.kept[self.n] = key
                self.n += 1
        return self.numbers[place]

    cdef object counts(self):
        """Return the cards of each set, by number: sets x 10."""
        import numpy
        shifts = _SET_BITS * numpy.arange(RANKS, dtype=numpy.int64)
        counts = (numpy.asarray(self.kept)[:self.n, None] >> shifts[None, :]) & _MOST_OF_VALUE
        return numpy.ascontiguousarray(counts.astype(numpy.uint8))
