/* One level of the 5/3 wavelet by lifting, of a filtered signal. */
#include "corpus.h"

void lifting_5_3(int n, const double in[2 * n + 3], double low[n], double high[n]) {
  double a[2 * n + 1], d[n];
#pragma scop
  for (int i = 0; i < 2 * n + 1; i++)
    a[i] = in[i] + in[i + 1] + in[i + 2];
  for (int i = 0; i < n; i++)
    d[i] = a[2 * i + 1] - 0.5 * (a[2 * i] + a[2 * i + 2]);
  for (int i = 1; i < n; i++)
    low[i] = a[2 * i] + 0.25 * (d[i - 1] + d[i]);
  for (int i = 0; i < n; i++)
    high[i] = 2 * d[i];
#pragma endscop
}

/* Without arguments at small sizes; else so many times at given sizes. */
int main(int argc, char **argv) {
  static const int sizes[][1] = {{2}, {3}, {8}};
  const int runs = argc > 1 ? 1 : 3, times = argc > 1 ? atoi(argv[1]) : 1;
  for (int run = 0; run < runs; run++) {
    const int n = argc > 2 ? atoi(argv[2]) : sizes[run][0];
    double *in = malloc(sizeof(double[2 * n + 3]));
    fill_double(in, sizeof(double[2 * n + 3]), 1);
    double *low = malloc(sizeof(double[n]));
    fill_double(low, sizeof(double[n]), 9);
    double *high = malloc(sizeof(double[n]));
    fill_double(high, sizeof(double[n]), 9);
    for (int again = 0; again < times; again++)
      lifting_5_3(n, in, low, high);
    print_hash("low", low, sizeof(double[n]));
    print_hash("high", high, sizeof(double[n]));
    free(in);
    free(low);
    free(high);
  }
  return 0;
}
