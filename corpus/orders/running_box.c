/* A box of eight samples by a running sum, whose first value is a sum by itself. */
#include "corpus.h"

void running_box(int n, const double in[n], double out[n - 8]) {
  double a[n], s[n - 7];
#pragma scop
  for (int i = 0; i < n; i++)
    a[i] = 2 * in[i];
  s[0] = 0;
  for (int k = 0; k < 8; k++)
    s[0] += a[k];
  for (int i = 1; i < n - 7; i++)
    s[i] = s[i - 1] + a[i + 7] - a[i - 1];
  for (int i = 0; i < n - 8; i++)
    out[i] = s[i + 1] / 8;
#pragma endscop
}

int main(void) {
  static const int sizes[][1] = {{9}, {10}, {17}};
  for (int run = 0; run < 3; run++) {
    int n = sizes[run][0];
    double in[n];
    fill_double(in, sizeof in, 1);
    double out[n - 8];
    fill_double(out, sizeof out, 9);
    running_box(n, in, out);
    print_hash("out", out, sizeof out);
  }
  return 0;
}
