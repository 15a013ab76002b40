/* The kernel's two number systems, double precision and residues modulo a prime, and how they lie in vectors. */
#ifndef ODDS_NUMBERS_H
#define ODDS_NUMBERS_H

#include <stdint.h>

#define RANKS 10

/* Two actions whose values differ by less than this are taken for a tie, which goes to the first of them; true ties do
 * occur. It is above any rounding error of the values and far below any difference that matters. A hand's value is the
 * larger of the two all the same, so that errors do not add up from hand to hand. */
#define TIED_WITHIN 1e-12

/* Several versions of one function, chosen when the module is loaded, where compiler and C library can do that and
 * it is not asked for one that runs on every processor. */
#if !defined(ODDS_PORTABLE) && defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__)
#define MULTIVERSION __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define MULTIVERSION
#endif

/* Doubles side by side. The compiler splits a vector into as many registers as the processor at hand needs. */
#if defined(__GNUC__)
#define DOUBLES_IN_VECTOR 8
typedef double double_vector __attribute__((vector_size(8 * DOUBLES_IN_VECTOR)));
typedef int64_t mask_vector __attribute__((vector_size(8 * DOUBLES_IN_VECTOR)));
#define LARGER_VECTOR(a, b) ((a) > (b))
#define SELECT_VECTOR(mask, a, b) ((double_vector)(((mask_vector)(a) & (mask)) | ((mask_vector)(b) & ~(mask))))
#else
#define DOUBLES_IN_VECTOR 1
typedef double double_vector;
typedef int64_t mask_vector;
#define LARGER_VECTOR(a, b) (-(int64_t)((a) > (b)))
#define SELECT_VECTOR(mask, a, b) ((mask) ? (a) : (b))
#endif

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
