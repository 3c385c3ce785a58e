/* The most base pairs that an RNA strand can form without crossings: a table over intervals, longest last. */
#include "corpus.h"

void nussinov(int n, int strand[n], int pairs[1]) {
  /* best[i][j] lives in best[(i - 2 * j) mod best_size0][j mod best_size1] */
  const int best_size0 = 3 * ((n + 1) / 2) - 1;
  const int best_size1 = (n + 1) / 2;
  int best[best_size0][best_size1];
#pragma scop
  for (int i = n - 1; i >= 0; i--) {
    best[(-i + 2 * best_size0) % best_size0][i % best_size1] = 0;
    {
      long best_at0 = (long)i % best_size1;
      long best_at1 = (-(long)i - 2 + 2 * (long)best_size0) % best_size0;
      for (int j = i + 1; j < n; j++) {
        const long best_at2 = best_at1 + 1 < best_size0 ? best_at1 + 1 : 0;
        const long best_at3 = best_at0 + 1 < best_size1 ? best_at0 + 1 : 0;
        const long best_at4 = best_at2 + 1 < best_size0 ? best_at2 + 1 : 0;
        const long best_at5 = best_at4 + 1 < best_size0 ? best_at4 + 1 : 0;
        best[best_at1][best_at3] = (best[best_at2][best_at3] > best[best_at4][best_at0] ? best[best_at2][best_at3] : best[best_at4][best_at0]);
        if (j - i >= 2)
          best[best_at1][best_at3] = (best[best_at1][best_at3] > (best[best_at5][best_at0] + (strand[i] + strand[j] == 3 ? 1 : 0)) ? best[best_at1][best_at3] : (best[best_at5][best_at0] + (strand[i] + strand[j] == 3 ? 1 : 0)));
        for (int k = i + 1; k < j; ) {
          const long best_at6 = (i - 2 * k + 2 * best_size0) % best_size0 + 2 * (long)k;
          const long best_at7 = k % best_size1 - k;
          const long best_at8 = (k - 2 * j + 1 + 2 * best_size0) % best_size0 - k;
          int last_ = j - 1;
          if (k + (best_at6 - 2 * k) / 2 < last_)
            last_ = k + (best_at6 - 2 * k) / 2;
          if (best_size1 - 1 - best_at7 < last_)
            last_ = best_size1 - 1 - best_at7;
          if (best_size0 - 1 - best_at8 < last_)
            last_ = best_size0 - 1 - best_at8;
          for (; k <= last_; k++)
            best[best_at1][best_at3] = (best[best_at1][best_at3] > (best[best_at6 - 2 * k][best_at7 + k] + best[best_at8 + k][best_at3]) ? best[best_at1][best_at3] : (best[best_at6 - 2 * k][best_at7 + k] + best[best_at8 + k][best_at3]));
        }
        best_at0 = best_at3;
        best_at1 = best_at1 >= 2 ? best_at1 - 2 : best_at1 + best_size0 - 2;
      }
    }
  }
  pairs[0] = best[(-2 * n + 2 + 2 * best_size0) % best_size0][(n - 1) % best_size1];
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
