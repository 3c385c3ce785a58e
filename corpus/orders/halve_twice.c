/* Two decimations by two, one after the other. */
#include "corpus.h"

void halve_twice(int n, const double in[4 * n + 8], double out[n]) {
  double a[4 * n + 6], b[2 * n + 2];
#pragma scop
  for (int i = 0; i < 4 * n + 6; i++)
    a[i] = in[i] + 2 * in[i + 1] + in[i + 2];
  for (int i = 0; i < 2 * n + 2; i++)
    b[i] = a[2 * i] + a[2 * i + 1] + a[2 * i + 2];
  for (int i = 0; i < n; i++)
    out[i] = b[2 * i] + b[2 * i + 1] + b[2 * i + 2];
#pragma endscop
}

int main(void) {
  static const int sizes[][1] = {{1}, {2}, {7}};
  for (int run = 0; run < 3; run++) {
    int n = sizes[run][0];
    double in[4 * n + 8];
    fill_double(in, sizeof in, 1);
    double out[n];
    fill_double(out, sizeof out, 9);
    halve_twice(n, in, out);
    print_hash("out", out, sizeof out);
  }
  return 0;
}
