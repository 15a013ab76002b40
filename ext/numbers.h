/* The kernel's two number systems, double precision and residues modulo a prime. */
#ifndef ODDS_NUMBERS_H
#define ODDS_NUMBERS_H

#include <stdint.h>

#define RANKS 10

/* Two actions whose values differ by less than this are taken for a tie, which goes to the first of them; true ties do
 * occur. It is above any rounding error of the values and far below any difference that matters. A hand's value is the
 * larger of the two all the same, so that errors do not add up from hand to hand. */
#define TIED_WITHIN 1e-12

#define ADD_DOUBLE(a, b) ((a) + (b))
#define SUB_DOUBLE(a, b) ((a) - (b))
#define MUL_DOUBLE(a, b) ((a) * (b))

/* A prime field below 2^62: modulus, -1/modulus mod 2^64, and one in Montgomery form. */
typedef struct {
    uint64_t modulus, negative_inverse, one;
} field_t;

static inline uint64_t mul_residue(uint64_t a, uint64_t b, const field_t *f)
{
    unsigned __int128 product = (unsigned __int128)a * b;
    uint64_t m = (uint64_t)product * f->negative_inverse;
    uint64_t r = (uint64_t)((product + (unsigned __int128)m * f->modulus) >> 64);
    return r >= f->modulus ? r - f->modulus : r;
}

static inline uint64_t add_residue(uint64_t a, uint64_t b, const field_t *f)
{
    uint64_t r = a + b;
    return r >= f->modulus ? r - f->modulus : r;
}

static inline uint64_t sub_residue(uint64_t a, uint64_t b, const field_t *f)
{
    return a >= b ? a - b : a + f->modulus - b;
}

#endif
