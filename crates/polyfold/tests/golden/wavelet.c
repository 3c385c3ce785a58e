/* One level of a lifting wavelet transform of each row: odd samples are predicted from even ones, then these updated. */
#include "corpus.h"

void wavelet(int h, int w, int in[h][2 * w], int low[h][w], int high[h][w]) {
  /* even[i][j] lives in even[j] */
  int even[w];
  /* odd[i][j] lives in odd_shared[j + 1] */
  /* detail[i][j] lives in odd_shared[j] */
  int odd_shared[w + 1];
#pragma scop
  for (int y = 0; y < h; y++) {
    for (int x = 0; x < 2 * w; x += 2)
      even[x / 2] = in[y][x];
    for (int x = 1; x < 2 * w; x += 2)
      odd_shared[x / 2 + 1] = in[y][x];
    for (int x = 0; x < w; x++)
      odd_shared[x + 1] = odd_shared[x + 1] - (even[x] + even[MIN(x + 1, w - 1)]) / 2;
    odd_shared[0] = odd_shared[1];
    for (int x = 0; x < w; x++) {
      low[y][x] = even[x] + (odd_shared[x] + odd_shared[x + 1] + 2) / 4;
      high[y][x] = odd_shared[x + 1];
    }
  }
#pragma endscop
}

int main(void) {
  static const int sizes[][2] = {{1, 1}, {3, 2}, {12, 17}};
  for (int s = 0; s < 3; s++) {
    int h = sizes[s][0], w = sizes[s][1];
    int in[h][2 * w], low[h][w], high[h][w];
    fill_int(in, sizeof in, 1, 256);
    wavelet(h, w, in, low, high);
    print_hash("low", low, sizeof low);
    print_hash("high", high, sizeof high);
  }
  return 0;
}
