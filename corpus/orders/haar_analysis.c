/* Three levels of a Haar wavelet, of a filtered signal. */
#include "corpus.h"

void haar_analysis(int n, const double in[8 * n + 1], double low[n], double high[7 * n]) {
  double a[8 * n], p[4 * n], q[2 * n];
#pragma scop
  for (int i = 0; i < 8 * n; i++)
    a[i] = in[i] + in[i + 1];
  for (int i = 0; i < 4 * n; i++) {
    p[i] = a[2 * i] + a[2 * i + 1];
    high[3 * n + i] = a[2 * i] - a[2 * i + 1];
  }
  for (int i = 0; i < 2 * n; i++) {
    q[i] = p[2 * i] + p[2 * i + 1];
    high[n + i] = p[2 * i] - p[2 * i + 1];
  }
  for (int i = 0; i < n; i++) {
    low[i] = q[2 * i] + q[2 * i + 1];
    high[i] = q[2 * i] - q[2 * i + 1];
  }
#pragma endscop
}

/* Without arguments at small sizes; else so many times at given sizes. */
int main(int argc, char **argv) {
  static const int sizes[][1] = {{1}, {2}, {5}};
  const int runs = argc > 1 ? 1 : 3, times = argc > 1 ? atoi(argv[1]) : 1;
  for (int run = 0; run < runs; run++) {
    const int n = argc > 2 ? atoi(argv[2]) : sizes[run][0];
    double *in = malloc(sizeof(double[8 * n + 1]));
    fill_double(in, sizeof(double[8 * n + 1]), 1);
    double *low = malloc(sizeof(double[n]));
    fill_double(low, sizeof(double[n]), 9);
    double *high = malloc(sizeof(double[7 * n]));
    fill_double(high, sizeof(double[7 * n]), 9);
    for (int again = 0; again < times; again++)
      haar_analysis(n, in, low, high);
    print_hash("low", low, sizeof(double[n]));
    print_hash("high", high, sizeof(double[7 * n]));
    free(in);
    free(low);
    free(high);
  }
  return 0;
}
