/* A recursive filter, of which each fourth value is used. */
#include "corpus.h"

void iir_and_decimate(int n, const double in[4 * n + 1], double out[n]) {
  double f[4 * n + 1];
#pragma scop
  f[0] = in[0];
  for (int i = 1; i < 4 * n + 1; i++)
    f[i] = 0.75 * f[i - 1] + in[i];
  for (int i = 0; i < n; i++)
    out[i] = f[4 * i] + f[4 * i + 4];
#pragma endscop
}

int main(void) {
  static const int sizes[][1] = {{1}, {2}, {5}};
  for (int run = 0; run < 3; run++) {
    int n = sizes[run][0];
    double in[4 * n + 1];
    fill_double(in, sizeof in, 1);
    double out[n];
    fill_double(out, sizeof out, 9);
    iir_and_decimate(n, in, out);
    print_hash("out", out, sizeof out);
  }
  return 0;
}
