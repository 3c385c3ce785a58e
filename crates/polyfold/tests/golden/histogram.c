/* Histogram equalisation in steps: the bin that a pixel counts in is data, and so is the one its new value comes from. */
#include "corpus.h"
#define BINS 16

void histogram(int n, int in[n], int bins[BINS], int out[n]) {
  int below[BINS + 1];
  /* key is one variable: no two cells of key are needed at a time */
#pragma scop
  for (int b = 0; b < BINS; b++)
    bins[b] = 0;
  for (int i = 0; i < n; i++) {
    int key = in[i] / 16;
    bins[key] += 1;
  }
  below[0] = 0;
  for (int b = 0; b < BINS; b++)
    below[b + 1] = below[b] + bins[b];
  for (int i = 0; i < n; i++)
    out[i] = below[in[i] / 16];
#pragma endscop
}

int main(void) {
  static const int sizes[] = {1, 7, 300};
  for (int s = 0; s < 3; s++) {
    int n = sizes[s];
    int in[n], bins[BINS], out[n];
    fill_int(in, sizeof in, 1, 256);
    histogram(n, in, bins, out);
    print_hash("bins", bins, sizeof bins);
    print_hash("out", out, sizeof out);
  }
  return 0;
}
