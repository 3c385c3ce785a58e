/* A picture is enlarged by two, then sharpened. */
#include "corpus.h"

void enlarge_and_sharpen(int h, int w, const double in[h + 1][w + 1], double out[2 * h - 2][2 * w -
    2]) {
  double u[2 * h][2 * w];
#pragma scop
  for (int y = 0; y < 2 * h; y++)
    for (int x = 0; x < 2 * w; x++)
      u[y][x] = 0.5 * (in[y / 2][x / 2] + in[(y + 1) / 2][(x + 1) / 2]);
  for (int y = 0; y < 2 * h - 2; y++)
    for (int x = 0; x < 2 * w - 2; x++)
      out[y][x] = 3 * u[y + 1][x + 1] - u[y][x + 1] - u[y + 2][x + 1];
#pragma endscop
}

/* Without arguments at small sizes; else so many times at given sizes. */
int main(int argc, char **argv) {
  static const int sizes[][2] = {{2, 2}, {2, 3}, {5, 4}};
  const int runs = argc > 1 ? 1 : 3, times = argc > 1 ? atoi(argv[1]) : 1;
  for (int run = 0; run < runs; run++) {
    const int h = argc > 2 ? atoi(argv[2]) : sizes[run][0];
    const int w = argc > 3 ? atoi(argv[3]) : sizes[run][1];
    double (*in)[w + 1] = malloc(sizeof(double[h + 1][w + 1]));
    fill_double(in, sizeof(double[h + 1][w + 1]), 1);
    double (*out)[2 * w - 2] = malloc(sizeof(double[2 * h - 2][2 * w - 2]));
    fill_double(out, sizeof(double[2 * h - 2][2 * w - 2]), 9);
    for (int again = 0; again < times; again++)
      enlarge_and_sharpen(h, w, (void *)in, (void *)out);
    print_hash("out", out, sizeof(double[2 * h - 2][2 * w - 2]));
    free(in);
    free(out);
  }
  return 0;
}
