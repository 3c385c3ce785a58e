/* Each row of a filtered picture is divided by its sum. */
#include "corpus.h"

void normalised_rows(int h, int w, const double in[h][w], double out[h][w]) {
  double a[h][w], s[h];
#pragma scop
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++)
      a[y][x] = in[y][x] * in[y][x] + 1;
  for (int y = 0; y < h; y++) {
    s[y] = 0;
    for (int x = 0; x < w; x++)
      s[y] += a[y][x];
  }
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++)
      out[y][x] = a[y][x] / s[y];
#pragma endscop
}

/* Without arguments at small sizes; else so many times at given sizes. */
int main(int argc, char **argv) {
  static const int sizes[][2] = {{1, 1}, {2, 3}, {5, 4}};
  const int runs = argc > 1 ? 1 : 3, times = argc > 1 ? atoi(argv[1]) : 1;
  for (int run = 0; run < runs; run++) {
    const int h = argc > 2 ? atoi(argv[2]) : sizes[run][0];
    const int w = argc > 3 ? atoi(argv[3]) : sizes[run][1];
    double (*in)[w] = malloc(sizeof(double[h][w]));
    fill_double(in, sizeof(double[h][w]), 1);
    double (*out)[w] = malloc(sizeof(double[h][w]));
    fill_double(out, sizeof(double[h][w]), 9);
    for (int again = 0; again < times; again++)
      normalised_rows(h, w, (void *)in, (void *)out);
    print_hash("out", out, sizeof(double[h][w]));
    free(in);
    free(out);
  }
  return 0;
}
