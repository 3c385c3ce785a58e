/* Three levels of a picture pyramid, each of half the size. */
#include "corpus.h"

void pyramid_three(int h, int w, const double in[8 * h + 14][8 * w + 14], double out[h][w]) {
  double a[4 * h + 6][4 * w + 6], b[2 * h + 2][2 * w + 2];
#pragma scop
  for (int y = 0; y < 4 * h + 6; y++)
    for (int x = 0; x < 4 * w + 6; x++)
      a[y][x] = in[2 * y][2 * x] + in[2 * y + 1][2 * x + 1] + in[2 * y + 2][2 * x + 2];
  for (int y = 0; y < 2 * h + 2; y++)
    for (int x = 0; x < 2 * w + 2; x++)
      b[y][x] = a[2 * y][2 * x] + a[2 * y + 1][2 * x + 1] + a[2 * y + 2][2 * x + 2];
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++)
      out[y][x] = b[2 * y][2 * x] + b[2 * y + 1][2 * x + 1] + b[2 * y + 2][2 * x + 2];
#pragma endscop
}

/* Without arguments at small sizes; else so many times at given sizes. */
int main(int argc, char **argv) {
  static const int sizes[][2] = {{1, 1}, {2, 3}, {4, 3}};
  const int runs = argc > 1 ? 1 : 3, times = argc > 1 ? atoi(argv[1]) : 1;
  for (int run = 0; run < runs; run++) {
    const int h = argc > 2 ? atoi(argv[2]) : sizes[run][0];
    const int w = argc > 3 ? atoi(argv[3]) : sizes[run][1];
    double (*in)[8 * w + 14] = malloc(sizeof(double[8 * h + 14][8 * w + 14]));
    fill_double(in, sizeof(double[8 * h + 14][8 * w + 14]), 1);
    double (*out)[w] = malloc(sizeof(double[h][w]));
    fill_double(out, sizeof(double[h][w]), 9);
    for (int again = 0; again < times; again++)
      pyramid_three(h, w, (void *)in, (void *)out);
    print_hash("out", out, sizeof(double[h][w]));
    free(in);
    free(out);
  }
  return 0;
}
