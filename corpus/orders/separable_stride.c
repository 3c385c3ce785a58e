/* A depthwise 3×3 of stride 2, then a pointwise layer, channels innermost. */
#include "corpus.h"

void separable_stride(int h, int w, int c, const double in[2 * h + 1][2 * w + 1][c], const double
    k[c][c], double out[h][w][c]) {
  double a[2 * h + 1][2 * w + 1][c], d[h][w][c];
#pragma scop
  for (int y = 0; y < 2 * h + 1; y++)
    for (int x = 0; x < 2 * w + 1; x++)
      for (int i = 0; i < c; i++)
        a[y][x][i] = MAX(in[y][x][i], 0.5);
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++)
      for (int i = 0; i < c; i++)
        d[y][x][i] = a[2 * y][2 * x][i] + a[2 * y + 1][2 * x + 1][i] + a[2 * y + 2][2 * x + 2][i];
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++)
      for (int o = 0; o < c; o++) {
        out[y][x][o] = 0;
        for (int i = 0; i < c; i++)
          out[y][x][o] += k[o][i] * d[y][x][i];
      }
#pragma endscop
}

/* Without arguments at small sizes; else so many times at given sizes. */
int main(int argc, char **argv) {
  static const int sizes[][3] = {{1, 1, 2}, {2, 3, 3}, {3, 2, 2}};
  const int runs = argc > 1 ? 1 : 3, times = argc > 1 ? atoi(argv[1]) : 1;
  for (int run = 0; run < runs; run++) {
    const int h = argc > 2 ? atoi(argv[2]) : sizes[run][0];
    const int w = argc > 3 ? atoi(argv[3]) : sizes[run][1];
    const int c = argc > 4 ? atoi(argv[4]) : sizes[run][2];
    double (*in)[2 * w + 1][c] = malloc(sizeof(double[2 * h + 1][2 * w + 1][c]));
    fill_double(in, sizeof(double[2 * h + 1][2 * w + 1][c]), 1);
    double (*k)[c] = malloc(sizeof(double[c][c]));
    fill_double(k, sizeof(double[c][c]), 2);
    double (*out)[w][c] = malloc(sizeof(double[h][w][c]));
    fill_double(out, sizeof(double[h][w][c]), 9);
    for (int again = 0; again < times; again++)
      separable_stride(h, w, c, (void *)in, (void *)k, (void *)out);
    print_hash("out", out, sizeof(double[h][w][c]));
    free(in);
    free(k);
    free(out);
  }
  return 0;
}
