/* Products of polynomials: coefficient arrays by convolution, values by Horner's rule from the highest power down. */
#include "corpus.h"

void horner(int n, int points, unsigned a[n], unsigned b[n], unsigned x[points], unsigned value[points]) {
  unsigned c[2 * n - 1];
  /* h is one variable: no two cells of h are needed at a time */
#pragma scop
  for (int k = 0; k < 2 * n - 1; k++) {
    c[k] = 0;
    for (int i = MAX(0, k - n + 1); i <= MIN(k, n - 1); i++)
      c[k] += a[i] * b[k - i];
  }
  for (int p = 0; p < points; p++) {
    unsigned h = 0;
    for (int k = 2 * n - 2; k >= 0; k--)
      h = h * x[p] + c[k];
    value[p] = h;
  }
#pragma endscop
}

int main(void) {
  static const int sizes[][2] = {{1, 1}, {2, 3}, {15, 20}};
  for (int s = 0; s < 3; s++) {
    int n = sizes[s][0], points = sizes[s][1];
    unsigned a[n], b[n], x[points], value[points];
    fill_int(a, sizeof a, 1, 1000);
    fill_int(b, sizeof b, 2, 1000);
    fill_int(x, sizeof x, 3, 1000);
    horner(n, points, a, b, x, value);
    print_hash("value", value, sizeof value);
  }
  return 0;
}
