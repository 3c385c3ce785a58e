/* Pooling, a filter, up again, and the picture added: a small U-net. */
#include "corpus.h"

void skip_connection(int h, int w, const double in[2 * h][2 * w], double out[2 * h - 2][2 * w]) {
  double a[2 * h][2 * w], p[h][w], f[h - 1][w];
#pragma scop
  for (int y = 0; y < 2 * h; y++)
    for (int x = 0; x < 2 * w; x++)
      a[y][x] = 0.5 * in[y][x];
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++)
      p[y][x] = a[2 * y][2 * x] + a[2 * y + 1][2 * x + 1];
  for (int y = 0; y < h - 1; y++)
    for (int x = 0; x < w; x++)
      f[y][x] = p[y][x] + p[y + 1][x];
  for (int y = 0; y < 2 * h - 2; y++)
    for (int x = 0; x < 2 * w; x++)
      out[y][x] = a[y][x] + f[y / 2][x / 2];
#pragma endscop
}

/* Without arguments at small sizes; else so many times at given sizes. */
int main(int argc, char **argv) {
  static const int sizes[][2] = {{2, 2}, {2, 3}, {4, 3}};
  const int runs = argc > 1 ? 1 : 3, times = argc > 1 ? atoi(argv[1]) : 1;
  for (int run = 0; run < runs; run++) {
    const int h = argc > 2 ? atoi(argv[2]) : sizes[run][0];
    const int w = argc > 3 ? atoi(argv[3]) : sizes[run][1];
    double (*in)[2 * w] = malloc(sizeof(double[2 * h][2 * w]));
    fill_double(in, sizeof(double[2 * h][2 * w]), 1);
    double (*out)[2 * w] = malloc(sizeof(double[2 * h - 2][2 * w]));
    fill_double(out, sizeof(double[2 * h - 2][2 * w]), 9);
    for (int again = 0; again < times; again++)
      skip_connection(h, w, (void *)in, (void *)out);
    print_hash("out", out, sizeof(double[2 * h - 2][2 * w]));
    free(in);
    free(out);
  }
  return 0;
}
