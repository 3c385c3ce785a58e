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

int main(void) {
  static const int sizes[][1] = {{2}, {3}, {8}};
  for (int run = 0; run < 3; run++) {
    int n = sizes[run][0];
    double in[2 * n + 3];
    fill_double(in, sizeof in, 1);
    double low[n];
    fill_double(low, sizeof low, 9);
    double high[n];
    fill_double(high, sizeof high, 9);
    lifting_5_3(n, in, low, high);
    print_hash("low", low, sizeof low);
    print_hash("high", high, sizeof high);
  }
  return 0;
}
