/* The most base pairs that an RNA strand can form without crossings: a table over intervals, longest last. */
#include "corpus.h"

void nussinov(int n, int strand[n], int pairs[1]) {
  int best[n][n];
#pragma scop
  for (int i = n - 1; i >= 0; i--) {
    best[i][i] = 0;
    for (int j = i + 1; j < n; j++) {
      best[i][j] = MAX(best[i + 1][j], best[i][j - 1]);
      if (j - i >= 2)
        best[i][j] = MAX(best[i][j], best[i + 1][j - 1] + (strand[i] + strand[j] == 3 ? 1 : 0));
      for (int k = i + 1; k < j; k++)
        best[i][j] = MAX(best[i][j], best[i][k] + best[k + 1][j]);
    }
  }
  pairs[0] = best[0][n - 1];
#pragma endscop
}

int main(void) {
  static const int sizes[] = {1, 2, 3, 12, 45};
  for (int s = 0; s < 5; s++) {
    int n = sizes[s];
    int strand[n], pairs[1];
    fill_int(strand, sizeof strand, 1, 4);
    nussinov(n, strand, pairs);
    print_hash("pairs", pairs, sizeof pairs);
  }
  return 0;
}
