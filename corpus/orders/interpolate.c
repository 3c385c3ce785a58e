/* A signal at twice its rate, then a filter. */
#include "corpus.h"

void interpolate(int n, const double in[n + 1], double out[2 * n - 2]) {
  double a[n + 1], u[2 * n];
#pragma scop
  for (int i = 0; i < n + 1; i++)
    a[i] = 2 * in[i] + 1;
  for (int i = 0; i < 2 * n; i++)
    u[i] = 0.5 * (a[i / 2] + a[(i + 1) / 2]);
  for (int i = 0; i < 2 * n - 2; i++)
    out[i] = u[i] + 2 * u[i + 1] + u[i + 2];
#pragma endscop
}

int main(void) {
  static const int sizes[][1] = {{2}, {3}, {9}};
  for (int run = 0; run < 3; run++) {
    int n = sizes[run][0];
    double in[n + 1];
    fill_double(in, sizeof in, 1);
    double out[2 * n - 2];
    fill_double(out, sizeof out, 9);
    interpolate(n, in, out);
    print_hash("out", out, sizeof out);
  }
  return 0;
}
