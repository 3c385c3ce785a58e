/* Three recursive filters in a row, each with its first two values. */
#include "corpus.h"

void biquads(int n, const double in[n], double out[n]) {
  double a[n], b[n], c[n];
#pragma scop
  a[0] = in[0];
  a[1] = in[1];
  for (int i = 2; i < n; i++)
    a[i] = in[i] + 0.5 * a[i - 1] - 0.25 * a[i - 2];
  b[0] = a[0];
  b[1] = a[1];
  for (int i = 2; i < n; i++)
    b[i] = a[i] + 0.25 * b[i - 1] - 0.125 * b[i - 2];
  c[0] = b[0];
  c[1] = b[1];
  for (int i = 2; i < n; i++)
    c[i] = b[i] + 0.5 * c[i - 1] - 0.5 * c[i - 2];
  for (int i = 0; i < n; i++)
    out[i] = 2 * c[i];
#pragma endscop
}

int main(void) {
  static const int sizes[][1] = {{3}, {4}, {11}};
  for (int run = 0; run < 3; run++) {
    int n = sizes[run][0];
    double in[n];
    fill_double(in, sizeof in, 1);
    double out[n];
    fill_double(out, sizeof out, 9);
    biquads(n, in, out);
    print_hash("out", out, sizeof out);
  }
  return 0;
}
