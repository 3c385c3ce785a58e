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
    const long cost_at = (long)(i % cost_size0) - i;
    const long cost_at1 = (-(long)i + 2 * cost_size1) % cost_size1 + i;
    const int end = cost_at1 + 1 < (cost_size0 - cost_at < N ? cost_size0 - cost_at : N) ? cost_at1 + 1 : cost_size0 - cost_at < N ? cost_size0 - cost_at : N;
    for (; i < end; i++)
      cost[cost_at + i][cost_at1 - i] = 0;
  }
  long cost_at9 = 1 % cost_size0;
  for (l = 1; l < N; l++) {
    long cost_at5 = 0;
    long cost_at6 = (6 * cost_size0 - 2 * l - 4) % cost_size1;
    long cost_at8 = cost_at9;
    for (i = 0; i < N - l; i++) {
      const long cost_at7 = cost_at6 < 3 * cost_size0 - 3 ? cost_at6 + 1 : 0;
      long cost_cell = 1000000000;
      long cost_at2 = cost_at5 - i;
      long cost_at4 = cost_at7 - i;
      const long *cost_row = cost[cost_at8];
      for (k = i; k < i + l; ) {
        const long cost_at3 = (i - 2 * (long)k + 2 * cost_size1) % cost_size1 + 2 * (long)k;
        const int end = 3 * cost_size0 - cost_at4 - 2 < (k + (cost_at3 - 2 * (long)k + 2) / 2 < (cost_size0 - cost_at2 < (long)i + l ? cost_size0 - cost_at2 : (long)i + l) ? k + (cost_at3 - 2 * (long)k + 2) / 2 : cost_size0 - cost_at2 < (long)i + l ? cost_size0 - cost_at2 : (long)i + l) ? 3 * cost_size0 - cost_at4 - 2 : k + (cost_at3 - 2 * (long)k + 2) / 2 < (cost_size0 - cost_at2 < (long)i + l ? cost_size0 - cost_at2 : (long)i + l) ? k + (cost_at3 - 2 * (long)k + 2) / 2 : cost_size0 - cost_at2 < (long)i + l ? cost_size0 - cost_at2 : (long)i + l;
        for (; k < end; k++) {
          long candidate = cost[cost_at2 + k][cost_at3 - 2 * k] + cost_row[cost_at4 + k] + size[i] * size[k + 1] * size[i + l + 1];
          if (candidate < cost_cell) {
            cost_cell = candidate;
            split[i][i + l] = k;
          }
        }
        if (cost_at2 + k >= cost_size0)
          cost_at2 -= cost_size0;
        if (cost_at4 + k >= cost_size1)
          cost_at4 -= cost_size1;
      }
      cost[cost_at8][cost_at6] = cost_cell;
      cost_at5 = cost_at5 < cost_size0 - 1 ? cost_at5 + 1 : 0;
      cost_at6 = cost_at6 > 0 ? cost_at6 - 1 : 3 * cost_size0 - 3;
      cost_at8 = cost_at8 < cost_size0 - 1 ? cost_at8 + 1 : 0;
    }
    cost_at9 = cost_at9 < cost_size0 - 1 ? cost_at9 + 1 : 0;
  }
  cheapest[0] = cost[(N - 1) % cost_size0][(2 - 2 * N + 2 * cost_size1) % cost_size1];
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
