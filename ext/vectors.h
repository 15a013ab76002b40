/* Doubles side by side, as many as a register holds in the version of the hot loops that is being compiled. */
#ifndef ODDS_VECTORS_H
#define ODDS_VECTORS_H

#include <stdint.h>

/* Whether there are versions for AVX2 and AVX-512; ODDS_BASELINE_ONLY leaves them out. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(ODDS_BASELINE_ONLY)
#define ODDS_X86_VERSIONS
#endif

/* Whatever follows is compiled for the version's processors. */
#if defined(VERSION_TARGET) && defined(ODDS_X86_VERSIONS)
#define PRAGMA(words) PRAGMA_(words)
#define PRAGMA_(words) _Pragma(#words)
#ifdef __clang__
PRAGMA(clang attribute push(__attribute__((target(VERSION_TARGET))), apply_to = function))
#else
PRAGMA(GCC target(VERSION_TARGET))
#endif
#endif

#if defined(DOUBLES_IN_VECTOR) && DOUBLES_IN_VECTOR > 1
typedef double double_vector __attribute__((vector_size(8 * DOUBLES_IN_VECTOR)));
typedef int64_t mask_vector __attribute__((vector_size(8 * DOUBLES_IN_VECTOR)));
typedef uint8_t byte_vector __attribute__((vector_size(DOUBLES_IN_VECTOR)));
#define LARGER_VECTOR(a, b) ((a) > (b))
#define EQUAL_VECTOR(a, b) ((a) == (int64_t)(b))
#define BYTES_VECTOR(from) __builtin_convertvector(*(const byte_vector *)(from), mask_vector)
#define TO_BYTES_VECTOR(to, a) (*(byte_vector *)(to) = __builtin_convertvector(a, byte_vector))
#define SELECT_VECTOR(mask, a, b) ((double_vector)(((mask_vector)(a) & (mask)) | ((mask_vector)(b) & ~(mask))))
#elif defined(DOUBLES_IN_VECTOR)
typedef double double_vector;
typedef int64_t mask_vector;
#define LARGER_VECTOR(a, b) (-(int64_t)((a) > (b)))
#define EQUAL_VECTOR(a, b) (-(int64_t)((a) == (b)))
#define BYTES_VECTOR(from) ((int64_t)*(from))
#define TO_BYTES_VECTOR(to, a) (*(to) = (uint8_t)(a))
#define SELECT_VECTOR(mask, a, b) ((mask) ? (a) : (b))
#endif

#ifdef __GNUC__
#define PREFETCH(address) __builtin_prefetch(address)
#else
#define PREFETCH(address) (void)(address)
#endif

#endif
