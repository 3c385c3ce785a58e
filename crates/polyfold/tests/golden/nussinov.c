/* The most base pairs that an RNA strand can form without crossings: a table over intervals, longest last. */
#include "corpus.h"

void nussinov(int n, int strand[n], int pairs[1]) {
  /* best[i][j] lives in best[(i - 2 * j) mod best_size0][j mod best_size1] */
  const int best_size0 = 3 * ((n + 1) / 2) - 1;
  const int best_size1 = (n + 1) / 2;
  int best[best_size0][best_size1];
#pragma scop
  long best_at9 = (6 * best_size1 - n - 3) % best_size0;
  long best_at11 = (n - 1) % best_size1;
  for (int i = n - 1; i >= 0; i--) {
    const long best_at12 = best_at11 < best_size1 - 1 ? best_at11 + 1 : 0;
    const long best_at10 = best_at9 < 3 * best_size1 - 3 ? best_at9 + 2 : best_at9 - 3 * best_size1 + 3;
    best[best_at10][best_at11] = 0;
    long best_at3 = best_at9;
    long best_at7 = best_at11;
    for (int j = i + 1; j < n; j++) {
      const long best_at8 = best_at7 < best_size1 - 1 ? best_at7 + 1 : 0;
      const long best_at4 = best_at3 < 3 * best_size1 - 2 ? best_at3 + 1 : 0;
      const long best_at5 = best_at4 < 3 * best_size1 - 2 ? best_at4 + 1 : 0;
      const long best_at6 = best_at5 < 3 * best_size1 - 2 ? best_at5 + 1 : 0;
      int *best_row = best[best_at3];
      best_row[best_at8] = (best[best_at4][best_at8] > best[best_at5][best_at7] ? best[best_at4][best_at8] : best[best_at5][best_at7]);
      if (j - i >= 2)
        best_row[best_at8] = (best_row[best_at8] > (best[best_at6][best_at7] + (strand[i] + strand[j] == 3 ? 1 : 0)) ? best_row[best_at8] : (best[best_at6][best_at7] + (strand[i] + strand[j] == 3 ? 1 : 0)));
      long best_at1 = best_at12 - i - 1;
      long best_at2 = best_at5 - i - 1;
      for (int k = i + 1; k < j; ) {
        const long best_at = (i - 2 * (long)k + 2 * best_size0) % best_size0 + 2 * (long)k;
        const int end = 3 * best_size1 - best_at2 - 1 < (best_size1 - best_at1 < (k + (best_at - 2 * (long)k + 2) / 2 < j ? k + (best_at - 2 * (long)k + 2) / 2 : j) ? best_size1 - best_at1 : k + (best_at - 2 * (long)k + 2) / 2 < j ? k + (best_at - 2 * (long)k + 2) / 2 : j) ? 3 * best_size1 - best_at2 - 1 : best_size1 - best_at1 < (k + (best_at - 2 * (long)k + 2) / 2 < j ? k + (best_at - 2 * (long)k + 2) / 2 : j) ? best_size1 - best_at1 : k + (best_at - 2 * (long)k + 2) / 2 < j ? k + (best_at - 2 * (long)k + 2) / 2 : j;
        for (; k < end; k++)
          best_row[best_at8] = (best_row[best_at8] > (best[best_at - 2 * k][best_at1 + k] + best[best_at2 + k][best_at8]) ? best_row[best_at8] : (best[best_at - 2 * k][best_at1 + k] + best[best_at2 + k][best_at8]));
        if (best_at1 + k >= best_size1)
          best_at1 -= best_size1;
        if (best_at2 + k >= best_size0)
          best_at2 -= best_size0;
      }
      best_at3 = best_at3 >= 2 ? best_at3 - 2 : best_at3 + 3 * best_size1 - 3;
      best_at7 = best_at8;
    }
    best_at9 = best_at9 < 3 * best_size1 - 2 ? best_at9 + 1 : 0;
    best_at11 = best_at11 > 0 ? best_at11 - 1 : best_size1 - 1;
  }
  pairs[0] = best[(2 - 2 * n + 2 * best_size0) % best_size0][(n - 1) % best_size1];
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
