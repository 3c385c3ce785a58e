/* A signal is split into two bands at half rate, and put together. */
#include "corpus.h"

void two_bands(int n, const double in[2 * n + 2], double out[2 * n - 2]) {
  double lo[n], hi[n], w[2 * n];
#pragma scop
  for (int i = 0; i < n; i++)
    lo[i] = in[2 * i] + in[2 * i + 1];
  for (int i = 0; i < n; i++)
    hi[i] = in[2 * i] - in[2 * i + 1];
  for (int i = 0; i < 2 * n; i++)
    w[i] = lo[i / 2] + hi[i / 2];
  for (int i = 0; i < 2 * n - 2; i++)
    out[i] = w[i] + w[i + 1] + w[i + 2];
#pragma endscop
}

int main(void) {
  static const int sizes[][1] = {{2}, {3}, {8}};
  for (int run = 0; run < 3; run++) {
    int n = sizes[run][0];
    double in[2 * n + 2];
    fill_double(in, sizeof in, 1);
    double out[2 * n - 2];
    fill_double(out, sizeof out, 9);
    two_bands(n, in, out);
    print_hash("out", out, sizeof out);
  }
  return 0;
}
