/* The dealer pass: probabilities of a dealer's final totals for many shoes at once.
 *
 * The body below is written once and compiled for two number systems, double precision and residues modulo a prime
 * (Montgomery form). LANES shoes lie side by side, so that plain loops over them vectorise.
 */
#ifndef ODDS_DEALER_PASS_H
#define ODDS_DEALER_PASS_H

#include <stdint.h>
#include <string.h>

#define LANES 32
#define RANKS 10
#define OUTCOMES 5 /* 17, 18, 19, 20, 21 without blackjack; a bust is what is left */
#define MAX_DRAWS 24

/* Several versions of one function, chosen when the module is loaded, where compiler and C library can do that. */
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__)
#define MULTIVERSION __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define MULTIVERSION
#endif

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

/* One node of the trie of drawn multisets, in pre-order. */
typedef struct {
    uint8_t depth;   /* cards drawn so far; 0 is the dealer's start itself */
    uint8_t rank;    /* the card drawn last */
    uint8_t already; /* how many of that rank were drawn before it */
    int8_t outcome;  /* 0..4 for 17..21 where the dealer stops here, else -1 */
} node_t;

/* The bodies: NUM, ADD, SUB, MUL and the name come from the includer. `small[i]` is the number i; `orders` the
 * number of orders in which a multiset can be drawn. counts[r][l]: cards of rank r in shoe l. scale[d][l] is
 * 1 / [N (N-1) ... (N-d+1)] for shoe l of N cards, and 0 once the shoe has run out. */
#define DEALER_PASS_BODY(NAME, NUM, ADD, SUB, MUL)                                                                   \
    MULTIVERSION static void NAME(const node_t *nodes, const NUM *orders, int n_nodes, int max_depth,                \
                                  const NUM counts[RANKS][LANES], const NUM scale[MAX_DRAWS + 1][LANES],             \
                                  const NUM *small, const field_t *field, NUM out[OUTCOMES][LANES])                  \
    {                                                                                                                \
        NUM weight[MAX_DRAWS + 1][LANES];                                                                            \
        NUM sum[OUTCOMES][MAX_DRAWS + 1][LANES];                                                                     \
        (void)field;                                                                                                 \
        memset(sum, 0, sizeof sum);                                                                                  \
        memset(out, 0, sizeof(NUM) * OUTCOMES * LANES);                                                              \
        for (int l = 0; l < LANES; ++l)                                                                              \
            weight[0][l] = small[1];                                                                                 \
        for (int i = 0; i < n_nodes; ++i) {                                                                          \
            const int d = nodes[i].depth, o = nodes[i].outcome;                                                      \
            if (d > 0) {                                                                                             \
                const NUM gone = small[nodes[i].already];                                                            \
                const NUM *c = counts[nodes[i].rank];                                                                \
                for (int l = 0; l < LANES; ++l)                                                                      \
                    weight[d][l] = MUL(weight[d - 1][l], SUB(c[l], gone));                                           \
            }                                                                                                        \
            if (o >= 0) {                                                                                            \
                const NUM k = orders[i];                                                                             \
                for (int l = 0; l < LANES; ++l)                                                                      \
                    sum[o][d][l] = ADD(sum[o][d][l], MUL(weight[d][l], k));                                          \
            }                                                                                                        \
        }                                                                                                            \
        for (int o = 0; o < OUTCOMES; ++o)                                                                           \
            for (int d = 0; d <= max_depth; ++d)                                                                     \
                for (int l = 0; l < LANES; ++l)                                                                      \
                    out[o][l] = ADD(out[o][l], MUL(sum[o][d][l], scale[d][l]));                                      \
    }

#define ADD_DOUBLE(a, b) ((a) + (b))
#define SUB_DOUBLE(a, b) ((a) - (b))
#define MUL_DOUBLE(a, b) ((a) * (b))
DEALER_PASS_BODY(dealer_pass_double, double, ADD_DOUBLE, SUB_DOUBLE, MUL_DOUBLE)

#define ADD_RESIDUE(a, b) add_residue(a, b, field)
#define SUB_RESIDUE(a, b) sub_residue(a, b, field)
#define MUL_RESIDUE(a, b) mul_residue(a, b, field)
DEALER_PASS_BODY(dealer_pass_residue, uint64_t, ADD_RESIDUE, SUB_RESIDUE, MUL_RESIDUE)

#endif
