/* One level down, up again, and what is lost: a Laplacian pyramid. */
#include "corpus.h"

void laplacian(int h, int w, const double in[2 * h + 2][2 * w + 2], double out[2 * h - 2][2 * w -
    2]) {
  double a[2 * h + 2][2 * w + 2], l[h][w];
#pragma scop
  for (int y = 0; y < 2 * h + 2; y++)
    for (int x = 0; x < 2 * w + 2; x++)
      a[y][x] = 0.5 * in[y][x];
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++)
      l[y][x] = a[2 * y][2 * x] + a[2 * y + 1][2 * x + 1] + a[2 * y + 2][2 * x + 2];
  for (int y = 0; y < 2 * h - 2; y++)
    for (int x = 0; x < 2 * w - 2; x++)
      out[y][x] = a[y][x] - 0.25 * (l[y / 2][x / 2] + l[(y + 1) / 2][(x + 1) / 2]);
#pragma endscop
}

/* Without arguments at small sizes; else so many times at given sizes. */
int main(int argc, char **argv) {
  static const int sizes[][2] = {{2, 2}, {2, 3}, {5, 4}};
  const int runs = argc > 1 ? 1 : 3, times = argc > 1 ? atoi(argv[1]) : 1;
  for (int run = 0; run < runs; run++) {
    const int h = argc > 2 ? atoi(argv[2]) : sizes[run][0];
    const int w = argc > 3 ? atoi(argv[3]) : sizes[run][1];
    double (*in)[2 * w + 2] = malloc(sizeof(double[2 * h + 2][2 * w + 2]));
    fill_double(in, sizeof(double[2 * h + 2][2 * w + 2]), 1);
    double (*out)[2 * w - 2] = malloc(sizeof(double[2 * h - 2][2 * w - 2]));
    fill_double(out, sizeof(double[2 * h - 2][2 * w - 2]), 9);
    for (int again = 0; again < times; again++)
      laplacian(h, w, (void *)in, (void *)out);
    print_hash("out", out, sizeof(double[2 * h - 2][2 * w - 2]));
    free(in);
    free(out);
  }
  return 0;
}
