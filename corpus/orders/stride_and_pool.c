/* A network: 3×3 with stride 2, pooling by two, 3×3. */
#include "corpus.h"

void stride_and_pool(int h, int w, const double in[4 * h + 13][4 * w + 13], double out[h][w]) {
  double a[2 * h + 6][2 * w + 6], p[h + 3][w + 3];
#pragma scop
  for (int y = 0; y < 2 * h + 6; y++)
    for (int x = 0; x < 2 * w + 6; x++)
      a[y][x] = in[2 * y][2 * x] + in[2 * y + 1][2 * x + 1] + in[2 * y + 2][2 * x + 2];
  for (int y = 0; y < h + 3; y++)
    for (int x = 0; x < w + 3; x++)
      p[y][x] = MAX(MAX(a[2 * y][2 * x], a[2 * y + 1][2 * x]), MAX(a[2 * y][2 * x + 1], a[2 * y + 1][2 * x + 1]));
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++)
      out[y][x] = p[y][x] + p[y + 1][x + 1] + p[y + 2][x + 2];
#pragma endscop
}

/* Without arguments at small sizes; else so many times at given sizes. */
int main(int argc, char **argv) {
  static const int sizes[][2] = {{1, 1}, {2, 3}, {3, 2}};
  const int runs = argc > 1 ? 1 : 3, times = argc > 1 ? atoi(argv[1]) : 1;
  for (int run = 0; run < runs; run++) {
    const int h = argc > 2 ? atoi(argv[2]) : sizes[run][0];
    const int w = argc > 3 ? atoi(argv[3]) : sizes[run][1];
    double (*in)[4 * w + 13] = malloc(sizeof(double[4 * h + 13][4 * w + 13]));
    fill_double(in, sizeof(double[4 * h + 13][4 * w + 13]), 1);
    double (*out)[w] = malloc(sizeof(double[h][w]));
    fill_double(out, sizeof(double[h][w]), 9);
    for (int again = 0; again < times; again++)
      stride_and_pool(h, w, (void *)in, (void *)out);
    print_hash("out", out, sizeof(double[h][w]));
    free(in);
    free(out);
  }
  return 0;
}
