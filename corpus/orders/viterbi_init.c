/* A trellis with its first column by itself, and the best at the end. */
#include "corpus.h"

void viterbi_init(int n, int s, const double e[n][s], const double t[s][s], double out[s]) {
  double v[n][s];
#pragma scop
  for (int i = 0; i < s; i++)
    v[0][i] = e[0][i];
  for (int k = 1; k < n; k++)
    for (int i = 0; i < s; i++) {
      v[k][i] = 0;
      for (int j = 0; j < s; j++)
        v[k][i] = MAX(v[k][i], v[k - 1][j] * t[j][i] * e[k][i]);
    }
  for (int i = 0; i < s; i++)
    out[i] = v[n - 1][i];
#pragma endscop
}

int main(void) {
  static const int sizes[][2] = {{2, 1}, {3, 4}, {7, 3}};
  for (int run = 0; run < 3; run++) {
    int n = sizes[run][0], s = sizes[run][1];
    double e[n][s];
    fill_double(e, sizeof e, 1);
    double t[s][s];
    fill_double(t, sizeof t, 2);
    double out[s];
    fill_double(out, sizeof out, 9);
    viterbi_init(n, s, e, t, out);
    print_hash("out", out, sizeof out);
  }
  return 0;
}
