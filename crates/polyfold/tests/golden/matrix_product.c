/* The product of three matrices, (A B) C, with the first product in a temporary.
 *
 * AB has N * N cells. Row i of the result needs row i of AB only, and is made as soon as that is there: one row is enough.
 *
 *     polyfold optimize matrix_product.c -o small.c
 *
 * N is a macro, and stays one: the new program is right for every N.
 */
#include <stdio.h>

#ifndef N
#define N 24
#endif

void matrix_product(unsigned A[N][N], unsigned B[N][N], unsigned C[N][N], unsigned D[N][N]) {
  int i, j, k;
  /* AB[i][j] lives in AB[j] */
  unsigned AB[N];
#pragma scop
  for (i = 0; i < N; i++) {
    for (j = 0; j < N; j++) {
      unsigned AB_cell = 0;
      for (k = 0; k < N; k++)
        AB_cell += A[i][k] * B[k][j];
      AB[j] = AB_cell;
    }
    for (j = 0; j < N; j++) {
      D[i][j] = 0;
      for (k = 0; k < N; k++)
        D[i][j] += AB[k] * C[k][j];
    }
  }
#pragma endscop
}

/* A fingerprint of the result: it must not change when the storage does. */
static void print_hash(const char *name, const void *data, size_t bytes) {
  const unsigned char *p = data;
  unsigned long long hash = 14695981039346656037ull;
  for (size_t i = 0; i < bytes; i++)
    hash = (hash ^ p[i]) * 1099511628211ull;
  printf("%s %016llx\n", name, hash);
}

int main(void) {
  static unsigned A[N][N], B[N][N], C[N][N], D[N][N];
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      A[i][j] = (unsigned)(i * 7 + j * 3 + 1);
      B[i][j] = (unsigned)(i * 5 + j * 11 + 2);
      C[i][j] = (unsigned)(i == j ? 2 : i + j);
    }
  matrix_product(A, B, C, D);
  print_hash("D", D, sizeof D);
  /* One entry the other way round, A (B C): unsigned arithmetic is exact. */
  unsigned entry = 0;
  for (int k = 0; k < N; k++)
    for (int l = 0; l < N; l++)
      entry += A[N / 2][k] * (B[k][l] * C[l][N / 3]);
  return entry != D[N / 2][N / 3];
}
