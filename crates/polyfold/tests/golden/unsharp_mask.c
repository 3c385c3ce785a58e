/* An unsharp mask, row by row: blur each row, and push every pixel away from its blurred value.
 *
 * The loops are fused already: row i of `soft` and of `edge` is used up before row i + 1 begins. So one row of each is
 * enough.
 *
 *     polyfold optimize unsharp_mask.c -o small.c
 */
#include <stdio.h>

#define H 60
#define W 80
#define STRENGTH 3

void unsharp_mask(int image[H][W], int sharp[H][W]) {
  /* soft[i][j] lives in soft_shared[j] */
  /* edge[i][j] lives in soft_shared[j] */
  int soft_shared[W];
#pragma scop
  for (int i = 0; i < H; i++) {
    soft_shared[0] = 4 * image[i][0];
    soft_shared[W - 1] = 4 * image[i][W - 1];
    for (int j = 1; j < W - 1; j++)
      soft_shared[j] = image[i][j - 1] + 2 * image[i][j] + image[i][j + 1];
    for (int j = 0; j < W; j++)
      soft_shared[j] = 4 * image[i][j] - soft_shared[j];
    for (int j = 0; j < W; j++)
      sharp[i][j] = 4 * image[i][j] + STRENGTH * soft_shared[j];
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

int main(void) {
  static int image[H][W], sharp[H][W];
  for (int i = 0; i < H; i++)
    for (int j = 0; j < W; j++)
      image[i][j] = i < H / 2 ? 100 : (i * 37 + j * 91) % 256;
  unsharp_mask(image, sharp);
  print_hash("sharp", sharp, sizeof sharp);
  /* The upper half is one flat grey: there is nothing to sharpen. */
  for (int i = 0; i < H / 2; i++)
    for (int j = 0; j < W; j++)
      if (sharp[i][j] != 400)
        return 1;
  return 0;
}
