/* Shortest paths between all pairs: D[k] allows the first k nodes in between. */
#include "corpus.h"

void floyd_warshall(int n, int length[n][n], int shortest[n][n]) {
  /* D[i][j][k] lives in D[i mod 2][j][k] */
  int D[2][n][n];
  #if defined __GNUC__ && !defined __clang__
  #define POLYFOLD_IVDEP _Pragma("GCC ivdep") /* no iteration uses a cell that one before it writes */
  #else
  #define POLYFOLD_IVDEP
  #endif
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      D[0][i][j] = length[i][j];
  long D_at = 0;
  for (int k = 0; k < n; k++) {
    const long D_at1 = D_at < 1 ? D_at + 1 : 0;
    const int *D_row = D[D_at][k];
    int *D_row1 = D[D_at1][0];
    const int *D_row2 = D[D_at][0];
    for (int i = 0; i < n; i++) {
      POLYFOLD_IVDEP
      for (int j = 0; j < n; j++)
        D_row1[j] = (D_row2[j] < (D_row2[k] + D_row[j]) ? D_row2[j] : (D_row2[k] + D_row[j]));
      D_row1 += n;
      D_row2 += n;
    }
    D_at = D_at1;
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      shortest[i][j] = D[n % 2][i][j];
#pragma endscop
}

int main(void) {
  static const int sizes[] = {1, 2, 5, 18};
  for (int s = 0; s < 4; s++) {
    int n = sizes[s];
    int length[n][n], shortest[n][n];
    fill_int(length, sizeof length, 1, 1000);
    for (int i = 0; i < n; i++)
      length[i][i] = 0;
    floyd_warshall(n, length, shortest);
    print_hash("shortest", shortest, sizeof shortest);
  }
  return 0;
}
