/* Length of the longest common subsequence of two strings, with the full table. */
#include "corpus.h"

void lcs(int n, int m, int a[n], int b[m], int length[1]) {
  int L[n + 1][m + 1];
#pragma scop
  for (int i = 0; i <= n; i++)
    L[i][0] = 0;
  for (int j = 1; j <= m; j++)
    L[0][j] = 0;
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= m; j++)
      L[i][j] = a[i - 1] == b[j - 1] ? L[i - 1][j - 1] + 1 : MAX(L[i - 1][j], L[i][j - 1]);
  length[0] = L[n][m];
#pragma endscop
}

int main(void) {
  static const int sizes[][2] = {{1, 1}, {4, 7}, {60, 50}};
  for (int s = 0; s < 3; s++) {
    int n = sizes[s][0], m = sizes[s][1];
    int a[n], b[m], length[1];
    fill_int(a, sizeof a, 1, 4);
    fill_int(b, sizeof b, 2, 4);
    lcs(n, m, a, b, length);
    print_hash("length", length, sizeof length);
  }
  return 0;
}
