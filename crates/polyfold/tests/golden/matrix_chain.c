/* The cheapest order to multiply n matrices; intervals by length, with two tables: cost and place of the last product. */
#include "corpus.h"
#ifndef N
#define N 24
#endif

void matrix_chain(long size[N + 1], long cheapest[1], int split[N][N]) {
  int l, i, k;
  /* cost[i][j] lives in cost[j mod cost_size0][(i - 2 * j) mod cost_size1] */
  enum { cost_size0 = (N + 1) / 2 };
  enum { cost_size1 = 3 * ((N + 1) / 2) - 2 };
  long cost[cost_size0][cost_size1];
  _Static_assert(N >= 7, "the storage below was chosen by polyfold for N >= 7");
  /* candidate is one variable: no two cells of candidate are needed at a time */
#pragma scop
  for (i = 0; i < N; ) {
    const long cost_at0 = i % cost_size0 - i;
    const long cost_at1 = (-i + 2 * cost_size1) % cost_size1 + i;
    int last_ = N - 1;
    if (cost_size0 - 1 - cost_at0 < last_)
      last_ = cost_size0 - 1 - cost_at0;
    if (cost_at1 < last_)
      last_ = cost_at1;
    for (; i <= last_; i++)
      cost[cost_at0 + i][cost_at1 - i] = 0;
  }
  for (l = 1; l < N; l++) {
    long cost_at0 = (long)l % cost_size0;
    long cost_at1 = (-2 * (long)l + 2 * (long)cost_size1) % cost_size1;
    for (i = 0; i < N - l; i++) {
      long *cost_row0 = cost[cost_at0];
      long cost_cell = 1000000000;
      for (k = i; k < i + l; ) {
        const long cost_at2 = k % cost_size0 - k;
        const long cost_at3 = (i - 2 * k + 2 * cost_size1) % cost_size1 + 2 * (long)k;
        const long cost_at4 = (k - 2 * i - 2 * l + 1 + 2 * cost_size1) % cost_size1 - k;
        int last_ = i + l - 1;
        if (cost_size0 - 1 - cost_at2 < last_)
          last_ = cost_size0 - 1 - cost_at2;
        if (k + (cost_at3 - 2 * k) / 2 < last_)
          last_ = k + (cost_at3 - 2 * k) / 2;
        if (cost_size1 - 1 - cost_at4 < last_)
          last_ = cost_size1 - 1 - cost_at4;
        for (; k <= last_; k++) {
          long candidate = cost[cost_at2 + k][cost_at3 - 2 * k] + cost_row0[cost_at4 + k] + size[i] * size[k + 1] * size[i + l + 1];
          if (candidate < cost_cell) {
            cost_cell = candidate;
            split[i][i + l] = k;
          }
        }
      }
      cost_row0[cost_at1] = cost_cell;
      cost_at0 = cost_at0 + 1 < cost_size0 ? cost_at0 + 1 : 0;
      cost_at1 = cost_at1 > 0 ? cost_at1 - 1 : cost_size1 - 1;
    }
  }
  cheapest[0] = cost[(N - 1) % cost_size0][(-2 * N + 2 + 2 * cost_size1) % cost_size1];
#pragma endscop
}

int main(void) {
  static long size[N + 1], cheapest[1];
  static int split[N][N];
  for (int i = 0; i <= N; i++)
    size[i] = 5 + (i * 17) % 23;
  matrix_chain(size, cheapest, split);
  print_hash("cheapest", cheapest, sizeof cheapest);
  print_hash("split", split, sizeof split);
  return 0;
}
