/* Conway's life on a board with a dead rim, one board per generation; a cell's fate is data. */
#include "corpus.h"

void life(int n, int T, unsigned char board[n][n]) {
  unsigned char L[T + 1][n + 2][n + 2];
  /* neighbours is one variable: no two cells of neighbours are needed at a time */
#pragma scop
  for (int t = 0; t <= T; t++)
    for (int i = 0; i < n + 2; i++) {
      L[t][i][0] = 0;
      L[t][i][n + 1] = 0;
      L[t][0][i] = 0;
      L[t][n + 1][i] = 0;
    }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      L[0][i + 1][j + 1] = board[i][j] % 2;
  for (int t = 0; t < T; t++)
    for (int i = 1; i <= n; i++)
      for (int j = 1; j <= n; j++) {
        int neighbours = L[t][i - 1][j - 1] + L[t][i - 1][j] + L[t][i - 1][j + 1] + L[t][i][j - 1] +
                              L[t][i][j + 1] + L[t][i + 1][j - 1] + L[t][i + 1][j] + L[t][i + 1][j + 1];
        L[t + 1][i][j] = neighbours == 3 || (neighbours == 2 && L[t][i][j] == 1);
      }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      board[i][j] = L[T][i + 1][j + 1];
#pragma endscop
}

int main(void) {
  static const int sizes[][2] = {{1, 1}, {4, 3}, {20, 8}};
  for (int s = 0; s < 3; s++) {
    int n = sizes[s][0], T = sizes[s][1];
    unsigned char board[n][n];
    fill_bytes(board, sizeof board, 1);
    life(n, T, board);
    print_hash("board", board, sizeof board);
  }
  return 0;
}
