/* Levenshtein's distance, by anti-diagonals: cell (i, j) of the table lies on diagonal d = i + j. */
#include "corpus.h"

void edit_distance(int n, int m, int a[n], int b[m], int distance[1]) {
  /* D[i][j] lives in D[i mod 2][j] */
  int D[2][m + 1];
#pragma scop
  for (int d = 0; d <= n + m; d++) {
    int i = MAX(0, d - m);
    for (; i <= (n < d ? n : d) && i < 1; i++) {
      D[i][d - i] = d;
    }
    long D_at = (i + 1) % 2;
    for (; i <= (n < d ? n : d) && i < d; i++) {
      const long D_at1 = D_at < 1 ? D_at + 1 : 0;
      D[D_at1][d - i] = (((D[D_at][d - i] < D[D_at1][d - i - 1] ? D[D_at][d - i] : D[D_at1][d - i - 1]) + 1) < (D[D_at][d - i - 1] + (a[i - 1] == b[d - i - 1] ? 0 : 1)) ? ((D[D_at][d - i] < D[D_at1][d - i - 1] ? D[D_at][d - i] : D[D_at1][d - i - 1]) + 1) : (D[D_at][d - i - 1] + (a[i - 1] == b[d - i - 1] ? 0 : 1)));
      D_at = D_at1;
    }
    for (; i <= (n < d ? n : d); i++) {
      D[i % 2][d - i] = i;
    }
  }
  distance[0] = D[n % 2][m];
#pragma endscop
}

int main(void) {
  static const int sizes[][2] = {{1, 1}, {3, 8}, {40, 45}};
  for (int s = 0; s < 3; s++) {
    int n = sizes[s][0], m = sizes[s][1];
    int a[n], b[m], distance[1];
    fill_int(a, sizeof a, 1, 5);
    fill_int(b, sizeof b, 2, 5);
    edit_distance(n, m, a, b, distance);
    print_hash("distance", distance, sizeof distance);
  }
  return 0;
}
