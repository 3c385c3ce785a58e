/* Heat that spreads over a plate, T steps on an n x n grid with a fixed rim.
 *
 * It is written the way the formula reads, with time as an index: T + 1 grids. Step t + 1 needs step t only, so two
 * grids are enough:
 *
 *     polyfold analyze heat.c --array A        shows when each value lives
 *     polyfold optimize heat.c -o small.c
 *
 * The sizes are not known before the program runs. The mapping holds for all of them.
 */
#include <stdio.h>

void heat(int n, int T, double plate[n][n]) {
  /* A[i][j][k] lives in A[(i - j) mod (n + 1)][k] */
  double A[n + 1][n];
  #if defined __GNUC__ && !defined __clang__
  #define POLYFOLD_IVDEP _Pragma("GCC ivdep") /* no iteration uses a cell that one before it writes */
  #else
  #define POLYFOLD_IVDEP
  #endif
#pragma scop
  long A_at = 0;
  for (int i = 0; i < n; i++) {
    double *A_row = A[A_at];
    for (int j = 0; j < n; j++)
      A_row[j] = plate[i][j];
    A_at = A_at > 0 ? A_at - 1 : n;
  }
  for (int t = 0; t < T; t++) {
    int i = 0;
    for (; i < n && i < 1; i++) {
      const long A_at1 = (t - i + (n + 1)) % (n + 1);
      const long A_at2 = A_at1 < n ? A_at1 + 1 : 0;
      double *A_row1 = A[A_at2];
      const double *A_row2 = A[A_at1];
      POLYFOLD_IVDEP
      for (int j = 0; j < n; j++)
        A_row1[j] = A_row2[j];
    }
    long A_at3 = (t - i + n) % (n + 1);
    for (; i < n - 1; i++) {
      const long A_at4 = A_at3 < n ? A_at3 + 1 : 0;
      const long A_at5 = A_at4 < n ? A_at4 + 1 : 0;
      const double *A_row5 = A[A_at3];
      const double *A_row4 = A[A_at4];
      double *A_row3 = A[A_at5];
      {
        int j = 0;
        for (; j < 1; j++)
          A_row3[j] = A_row4[j];
        POLYFOLD_IVDEP
        for (; j < n - 1; j++)
          A_row3[j] =
                0.5 * A_row4[j] + 0.125 * (A_row3[j] + A_row5[j] + A_row4[j - 1] + A_row4[j + 1]);
        for (; j < n; j++)
          A_row3[j] = A_row4[j];
      }
      A_at3 = A_at3 > 0 ? A_at3 - 1 : n;
    }
    for (; i < n; i++) {
      const long A_at6 = (t - i + (n + 1)) % (n + 1);
      const long A_at7 = A_at6 < n ? A_at6 + 1 : 0;
      double *A_row6 = A[A_at7];
      const double *A_row7 = A[A_at6];
      POLYFOLD_IVDEP
      for (int j = 0; j < n; j++)
        A_row6[j] = A_row7[j];
    }
  }
  long A_at8 = (T + n + 1) % (n + 1);
  for (int i = 0; i < n; i++) {
    const double *A_row8 = A[A_at8];
    for (int j = 0; j < n; j++)
      plate[i][j] = A_row8[j];
    A_at8 = A_at8 > 0 ? A_at8 - 1 : n;
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
  static const int sizes[][2] = {{1, 1}, {3, 2}, {10, 7}, {32, 20}};
  for (int s = 0; s < 4; s++) {
    int n = sizes[s][0], T = sizes[s][1];
    double plate[n][n];
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        plate[i][j] = i == 0 ? 64.0 : 0.0;
    heat(n, T, plate);
    print_hash("plate", plate, sizeof plate);
    /* It grows colder away from the hot rim, and nowhere hotter than the rim or colder than the rest. */
    for (int i = 1; i < n; i++)
      if (plate[i][n / 2] > plate[i - 1][n / 2] || plate[i][n / 2] < 0.0)
        return 1;
  }
  return 0;
}
