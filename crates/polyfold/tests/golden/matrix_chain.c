/* The cheapest order to multiply n matrices; intervals by length, with two tables: cost and place of the last product. */
#include "corpus.h"
#ifndef N
#define N 24
#endif

void matrix_chain(long size[N + 1], long cheapest[1], int split[N][N]) {
  int l, i, k;
  /* candidate is one variable: no two cells of candidate are needed at a time */
  long cost[N][N], candidate;
#pragma scop
  for (i = 0; i < N; i++)
    cost[i][i] = 0;
  for (l = 1; l < N; l++)
    for (i = 0; i < N - l; i++) {
      cost[i][i + l] = 1000000000;
      for (k = i; k < i + l; k++) {
        candidate = cost[i][k] + cost[k + 1][i + l] + size[i] * size[k + 1] * size[i + l + 1];
        if (candidate < cost[i][i + l]) {
          cost[i][i + l] = candidate;
          split[i][i + l] = k;
        }
      }
    }
  cheapest[0] = cost[0][N - 1];
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
