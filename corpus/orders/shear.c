/* A picture filtered row by row, then summed along its falling diagonals, as one direction of a Radon transform. */
#include "corpus.h"

void shear(int h, int w, const double in[h][w], double out[h + w - 1]) {
  double t[h][w], s[h][w];
#pragma scop
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++)
      t[y][x] = in[y][x] * 0.5;
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++)
      s[y][x] = t[y][x] + (x > 0 ? t[y][x - 1] : 0);
  for (int d = 1 - h; d < w; d++) {
    out[d + h - 1] = 0;
    for (int y = 0; y < h; y++)
      if (d + y >= 0 && d + y < w)
        out[d + h - 1] += s[y][d + y];
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
    double *out = malloc(sizeof(double[h + w - 1]));
    fill_double(out, sizeof(double[h + w - 1]), 9);
    for (int again = 0; again < times; again++)
      shear(h, w, (void *)in, out);
    print_hash("out", out, sizeof(double[h + w - 1]));
    free(in);
    free(out);
  }
  return 0;
}
