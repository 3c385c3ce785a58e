/* Taps, a recursive filter, taps again. */
#include "corpus.h"

void fir_iir_fir(int n, const double in[n], double out[n - 4]) {
  double a[n - 2], b[n - 2];
#pragma scop
  for (int i = 0; i < n - 2; i++)
    a[i] = in[i] + in[i + 1] + in[i + 2];
  b[0] = a[0];
  for (int i = 1; i < n - 2; i++)
    b[i] = 0.5 * b[i - 1] + a[i];
  for (int i = 0; i < n - 4; i++)
    out[i] = b[i] - b[i + 2];
#pragma endscop
}

int main(void) {
  static const int sizes[][1] = {{5}, {6}, {13}};
  for (int run = 0; run < 3; run++) {
    int n = sizes[run][0];
    double in[n];
    fill_double(in, sizeof in, 1);
    double out[n - 4];
    fill_double(out, sizeof out, 9);
    fir_iir_fir(n, in, out);
    print_hash("out", out, sizeof out);
  }
  return 0;
}
