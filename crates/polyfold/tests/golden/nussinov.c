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
    for (int j = i + 1; j < n; ) {
      const long best_at0 = i % best_size0;
      const long best_at1 = (i + j) % best_size1 - j;
      int last_j = n - 1;
      if (best_size1 - 1 - best_at1 < last_j)
        last_j = best_size1 - 1 - best_at1;
      for (; j <= last_j; j++) {
        best[best_at0][best_at1 + j] = (best[(i + 1) % best_size0][(i + j + 1) % best_size1] > best[best_at0][(i + j - 1) % best_size1] ? best[(i + 1) % best_size0][(i + j + 1) % best_size1] : best[best_at0][(i + j - 1) % best_size1]);
        if (j - i >= 2)
          best[best_at0][best_at1 + j] = (best[best_at0][best_at1 + j] > (best[(i + 1) % best_size0][best_at1 + j] + (strand[i] + strand[j] == 3 ? 1 : 0)) ? best[best_at0][best_at1 + j] : (best[(i + 1) % best_size0][best_at1 + j] + (strand[i] + strand[j] == 3 ? 1 : 0)));
        for (int k = i + 1; k < j; ) {
          const long best_at2 = (i + k) % best_size1 - k;
          const long best_at3 = (k + 1) % best_size0 - k;
          const long best_at4 = (k + j + 1) % best_size1 - k;
          int last_ = j - 1;
          if (best_size1 - 1 - best_at2 < last_)
            last_ = best_size1 - 1 - best_at2;
          if (best_size0 - 1 - best_at3 < last_)
            last_ = best_size0 - 1 - best_at3;
          if (best_size1 - 1 - best_at4 < last_)
            last_ = best_size1 - 1 - best_at4;
          for (; k <= last_; k++)
            best[best_at0][best_at1 + j] = (best[best_at0][best_at1 + j] > (best[best_at0][best_at2 + k] + best[best_at3 + k][best_at4 + k]) ? best[best_at0][best_at1 + j] : (best[best_at0][best_at2 + k] + best[best_at3 + k][best_at4 + k]));
        }
      }
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
