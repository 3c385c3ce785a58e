/* Blocks of eight samples lose their mean. */
#include "corpus.h"

void block_mean(int n, const double in[8 * n], double out[8 * n]) {
  double m[n];
#pragma scop
  for (int b = 0; b < n; b++) {
    m[b] = 0;
    for (int k = 0; k < 8; k++)
      m[b] += in[8 * b + k];
  }
  for (int i = 0; i < 8 * n; i++)
    out[i] = in[i] - m[i / 8] / 8;
#pragma endscop
}

int main(void) {
  static const int sizes[][1] = {{1}, {2}, {5}};
  for (int run = 0; run < 3; run++) {
    int n = sizes[run][0];
    double in[8 * n];
    fill_double(in, sizeof in, 1);
    double out[8 * n];
    fill_double(out, sizeof out, 9);
    block_mean(n, in, out);
    print_hash("out", out, sizeof out);
  }
  return 0;
}
