/* A window on blocks of eight samples, then a filter across the blocks. */
#include "corpus.h"

void blocks_of_eight(int n, const double in[8 * n], const double w[8], double out[8 * n - 2]) {
  double a[8 * n];
#pragma scop
  for (int b = 0; b < n; b++)
    for (int k = 0; k < 8; k++)
      a[8 * b + k] = in[8 * b + k] * w[k];
  for (int i = 0; i < 8 * n - 2; i++)
    out[i] = a[i] + 2 * a[i + 1] + a[i + 2];
#pragma endscop
}

int main(void) {
  static const int sizes[][1] = {{1}, {2}, {5}};
  for (int run = 0; run < 3; run++) {
    int n = sizes[run][0];
    double in[8 * n];
    fill_double(in, sizeof in, 1);
    double w[8];
    fill_double(w, sizeof w, 2);
    double out[8 * n - 2];
    fill_double(out, sizeof out, 9);
    blocks_of_eight(n, in, w, out);
    print_hash("out", out, sizeof out);
  }
  return 0;
}
