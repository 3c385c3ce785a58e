/* Shortest paths between all pairs: D[k] allows the first k nodes in between. */
#include "corpus.h"

void floyd_warshall(int n, int length[n][n], int shortest[n][n]) {
  /* D[i][j][k] lives in D[k][(i + 2 * j) mod (2 * (long)n - 1)] */
  int D[n][2 * (long)n - 1];
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      D[j][(2 * i) % (2 * (long)n - 1)] = length[i][j];
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        D[j][(k + 2 * i + 1) % (2 * (long)n - 1)] = (D[j][(k + 2 * i) % (2 * (long)n - 1)] < (D[k][(k + 2 * i) % (2 * (long)n - 1)] + D[j][(3 * k) % (2 * (long)n - 1)]) ? D[j][(k + 2 * i) % (2 * (long)n - 1)] : (D[k][(k + 2 * i) % (2 * (long)n - 1)] + D[j][(3 * k) % (2 * (long)n - 1)]));
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      shortest[i][j] = D[j][((long)n + 2 * i) % (2 * (long)n - 1)];
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
