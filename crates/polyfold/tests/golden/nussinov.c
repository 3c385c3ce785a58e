/* The most base pairs that an RNA strand can form without crossings: a table over intervals, longest last. */
#include "corpus.h"

void nussinov(int n, int strand[n], int pairs[1]) {
  /* best[i][j] lives in best[i mod best_size0][(i + j) mod best_size1] */
  const int best_size0 = (n + 1) / 2;
  const int best_size1 = 3 * ((n + 1) / 2);
  int best[best_size0][best_size1];
#pragma scop
  for (int i = n - 1; i >= 0; i--) {
    best[i % best_size0][(2 * i) % best_size1] = 0;
    for (int j = i + 1; j < n; j++) {
      best[i % best_size0][(i + j) % best_size1] = (best[(i + 1) % best_size0][(i + j + 1) % best_size1] > best[i % best_size0][(i + j - 1) % best_size1] ? best[(i + 1) % best_size0][(i + j + 1) % best_size1] : best[i % best_size0][(i + j - 1) % best_size1]);
      if (j - i >= 2)
        best[i % best_size0][(i + j) % best_size1] = (best[i % best_size0][(i + j) % best_size1] > (best[(i + 1) % best_size0][(i + j) % best_size1] + (strand[i] + strand[j] == 3 ? 1 : 0)) ? best[i % best_size0][(i + j) % best_size1] : (best[(i + 1) % best_size0][(i + j) % best_size1] + (strand[i] + strand[j] == 3 ? 1 : 0)));
      for (int k = i + 1; k < j; k++)
        best[i % best_size0][(i + j) % best_size1] = (best[i % best_size0][(i + j) % best_size1] > (best[i % best_size0][(i + k) % best_size1] + best[(k + 1) % best_size0][(k + j + 1) % best_size1]) ? best[i % best_size0][(i + j) % best_size1] : (best[i % best_size0][(i + k) % best_size1] + best[(k + 1) % best_size0][(k + j + 1) % best_size1]));
    }
  }
  pairs[0] = best[0][(n - 1) % best_size1];
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
