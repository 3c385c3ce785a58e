/* What the kernels of the corpus share: reproducible input, hashes of output, and the usual macros. */
#ifndef CORPUS_H
#define CORPUS_H
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef DATA_TYPE
#define DATA_TYPE double
#endif
#define SCALAR_VAL(x) ((DATA_TYPE)(x))
#define SQRT_FUN(x) sqrt(x)

#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define ABS(a) ((a) < 0 ? -(a) : (a))

static inline unsigned next_random(unsigned *state) {
  *state = *state * 747796405u + 2891336453u;
  return *state >> 9;
}

/* Numbers in [0, 1). */
static inline void fill_double(void *data, size_t bytes, unsigned seed) {
  double *a = data;
  for (size_t i = 0; i < bytes / sizeof *a; i++)
    a[i] = next_random(&seed) / 8388608.0;
}

/* Numbers in [0, 1). */
static inline void fill_float(void *data, size_t bytes, unsigned seed) {
  float *a = data;
  for (size_t i = 0; i < bytes / sizeof *a; i++)
    a[i] = (float)next_random(&seed) / 8388608.0f;
}

/* Numbers in [0, bound). */
static inline void fill_int(void *data, size_t bytes, unsigned seed, int bound) {
  int *a = data;
  for (size_t i = 0; i < bytes / sizeof *a; i++)
    a[i] = (int)(next_random(&seed) % (unsigned)bound);
}

static inline void fill_bytes(void *data, size_t bytes, unsigned seed) {
  unsigned char *a = data;
  for (size_t i = 0; i < bytes; i++)
    a[i] = (unsigned char)(next_random(&seed) >> 4);
}

static inline void print_hash(const char *name, const void *data, size_t bytes) {
  const unsigned char *p = data;
  unsigned long long hash = 14695981039346656037ull;
  for (size_t i = 0; i < bytes; i++)
    hash = (hash ^ p[i]) * 1099511628211ull;
  printf("%s %016llx\n", name, hash);
}
#endif
