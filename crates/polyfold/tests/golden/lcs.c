/* Length of the longest common subsequence of two strings, with the full table. */
#include "corpus.h"

void lcs(int n, int m, int a[n], int b[m], int length[1]) {
  /* L[i][j] lives in L[j - i + n] */
  int L[n + m + 1];
#pragma scop
  for (int i = 0; i <= n; i++)
    L[n - i] = 0;
  for (int j = 1; j <= m; j++)
    L[j + n] = 0;
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= m; j++)
      L[j - i + n] = a[i - 1] == b[j - 1] ? L[j - i + n] + 1 : (L[j - i + n + 1] > L[j - i + n - 1] ? L[j - i + n + 1] : L[j - i + n - 1]);
  length[0] = L[m];
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
