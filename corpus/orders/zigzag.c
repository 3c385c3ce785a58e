/* Coefficients dequantized along antidiagonals, as they are stored, and summed by rows. */
#include "corpus.h"

void zigzag(int h, int w, const double in[h][w], double out[h]) {
  double t[h][w];
#pragma scop
  for (int d = 0; d < h + w - 1; d++)
    for (int j = 0; j < w; j++)
      if (d - j >= 0 && d - j < h)
        t[d - j][j] = in[d - j][j] * (d + 1);
  for (int i = 0; i < h; i++) {
    out[i] = 0;
    for (int j = 0; j < w; j++)
      out[i] += t[i][j];
  }
#pragma endscop
}

/* Without arguments at small sizes; else so many times at given sizes. */
int main(int argc, char **argv) {
  static const int sizes[][2] = {{1, 1}, {2, 3}, {6, 5}};
  const int runs = argc > 1 ? 1 : 3, times = argc > 1 ? atoi(argv[1]) : 1;
  for (int run = 0; run < runs; run++) {
    const int h = argc > 2 ? atoi(argv[2]) : sizes[run][0];
    const int w = argc > 3 ? atoi(argv[3]) : sizes[run][1];
    double (*in)[w] = malloc(sizeof(double[h][w]));
    fill_double(in, sizeof(double[h][w]), 1);
    double *out = malloc(sizeof(double[h]));
    fill_double(out, sizeof(double[h]), 9);
    for (int again = 0; again < times; again++)
      zigzag(h, w, (void *)in, out);
    print_hash("out", out, sizeof(double[h]));
    free(in);
    free(out);
  }
  return 0;
}
