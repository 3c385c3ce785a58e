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

int main(void) {
  static const int sizes[][1] = {{1}, {2}, {5}};
  for (int run = 0; run < 3; run++) {
    int n = sizes[run][0];
    double in[8 * n + 1];
    fill_double(in, sizeof in, 1);
    double low[n];
    fill_double(low, sizeof low, 9);
    double high[7 * n];
    fill_double(high, sizeof high, 9);
    haar_analysis(n, in, low, high);
    print_hash("low", low, sizeof low);
    print_hash("high", high, sizeof high);
  }
  return 0;
}
