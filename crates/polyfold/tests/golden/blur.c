/* A 3 x 3 box blur of an image, first along the rows and then along the columns.
 *
 * `rows` is written as a whole image in between, h * w pixels. As soon as three of its rows are there the next row of
 * the result can be made, and that is how the loops run: so three rows are alive at a time.
 *
 *     polyfold optimize blur.c -o small.c
 *
 * The image and its blurred version are parameters: they belong to the caller and keep their layout.
 */
#include <stdio.h>

void blur(int h, int w, float image[h][w], float blurred[h][w]) {
  /* rows[i][j] lives in rows[i mod 3][j] */
  float rows[3][w];
#pragma scop
  long rows_at = 2;
  for (int i = 0; i < h; i++) {
    const long rows_at1 = rows_at < 2 ? rows_at + 1 : 0;
    const long rows_at2 = rows_at1 < 2 ? rows_at1 + 1 : 0;
    float *rows_row = rows[rows_at1];
    for (int j = 1; j < w - 1; j++)
      rows_row[j] = (image[i][j - 1] + image[i][j] + image[i][j + 1]) / 3.0f;
    if (i >= 2) {
      const float *rows_row1 = rows[rows_at2];
      const float *rows_row2 = rows[rows_at];
      for (int j = 1; j < w - 1; j++)
        blurred[i - 1][j] = (rows_row1[j] + rows_row2[j] + rows_row[j]) / 3.0f;
    }
    rows_at = rows_at1;
  }
#pragma endscop
}

/* A fingerprint of the result: it must not change when the storage does. */
static void print_hash(const char *name, const void *data, size_t bytes) {
  const unsigned char *p = data;
  unsigned long long hash = 14695981039346656037ull;
  for (size_t i = 0; i < bytes; i++)
    hash = (hash ^ p[i]) * 1099511628211ull;
  printf("%s %016llx\n", name, hash);
}

/* A blur leaves a slope as it is: the mean of its neighbours is the pixel itself. */
static int keeps_a_slope(int h, int w, float blurred[h][w]) {
  for (int i = 1; i < h - 1; i++)
    for (int j = 1; j < w - 1; j++) {
      float error = blurred[i][j] - (float)(2 * i + 3 * j);
      if (error > 0.001f || error < -0.001f)
        return 0;
    }
  return 1;
}

int main(void) {
  static const int sizes[][2] = {{3, 3}, {9, 14}, {48, 64}};
  for (int s = 0; s < 3; s++) {
    int h = sizes[s][0], w = sizes[s][1];
    float image[h][w], blurred[h][w];
    for (int i = 0; i < h; i++)
      for (int j = 0; j < w; j++) {
        image[i][j] = (float)(2 * i + 3 * j);
        blurred[i][j] = 0.0f;
      }
    blur(h, w, image, blurred);
    print_hash("blurred", blurred, sizeof blurred);
    if (!keeps_a_slope(h, w, blurred))
      return 1;
  }
  return 0;
}
