/* Levenshtein's distance, by anti-diagonals: cell (i, j) of the table lies on diagonal d = i + j. */
#include "corpus.h"

void edit_distance(int n, int m, int a[n], int b[m], int distance[1]) {
  /* D[i][j] lives in D[i mod 2][j] */
  int D[2][m + 1];
#pragma scop
  for (int d = 0; d <= n + m; d++) {
    const long i_last = MIN(n, d);
    int i = MAX(0, d - m);
    if (i <= i_last && i <= 0) {
      D[i][d - i] = d;
      i++;
    }
    for (; i <= i_last && i <= d - 1; i++) {
      D[i % 2][d - i] = (((D[(i - 1) % 2][d - i] < D[i % 2][d - i - 1] ? D[(i - 1) % 2][d - i] : D[i % 2][d - i - 1]) + 1) < (D[(i - 1) % 2][d - i - 1] + (a[i - 1] == b[d - i - 1] ? 0 : 1)) ? ((D[(i - 1) % 2][d - i] < D[i % 2][d - i - 1] ? D[(i - 1) % 2][d - i] : D[i % 2][d - i - 1]) + 1) : (D[(i - 1) % 2][d - i - 1] + (a[i - 1] == b[d - i - 1] ? 0 : 1)));
    }
    if (i <= i_last) {
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
