/* Durbin's recursion: solves the Yule-Walker equations, a symmetric Toeplitz system, in n steps.
 *
 * Step k makes k + 1 new coefficients y[.][k] from those of step k - 1, reading them from both ends at once. Stored as
 * the formula says, y and sum take 2 n^2 cells. What the recursion needs is less:
 *   - sum, alpha, beta: each value is used at once, so one cell each;
 *   - y: two columns, or even 2 n - 3 cells: y[i][k] in cell 2 i + k, modulo 2 n - 3.
 *
 *     polyfold optimize durbin.c -o small.c
 */
#include <stdio.h>

void durbin(int n, double r[n], double out[n]) {
  /* alpha is one variable: no two cells of alpha are needed at a time */
  /* beta is one variable: no two cells of beta are needed at a time */
  double alpha, beta;
  /* y[i][j] lives in y[j mod 2][i] */
  double y[2][n];
  /* sum is one variable: no two cells of sum are needed at a time */
  #if defined __GNUC__ && !defined __clang__
  #define POLYFOLD_IVDEP _Pragma("GCC ivdep") /* no iteration uses a cell that one before it writes */
  #else
  #define POLYFOLD_IVDEP
  #endif
#pragma scop
  y[0][0] = -r[0];
  beta = 1.0;
  alpha = -r[0];
  long y_at = 0;
  const double *y_row = y[y_at];
  for (int k = 1; k < n; k++) {
    const long y_at1 = y_at < 1 ? y_at + 1 : 0;
    beta = (1.0 - alpha * alpha) * beta;
    double sum = r[k];
    for (int i = 0; i < k; i++)
      sum = sum + r[k - i - 1] * y_row[i];
    alpha = -sum / beta;
    double *y_row1 = y[y_at1];
    POLYFOLD_IVDEP
    for (int i = 0; i < k; i++)
      y_row1[i] = y_row[i] + alpha * y_row[k - i - 1];
    y_row1[k] = alpha;
    y_at = y_at1;
    y_row = y_row1;
  }
  for (int i = 0; i < n; i++)
    out[i] = y[(n - 1) % 2][i];
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

/* Row i of the system is sum over j of c(|i - j|) y[j] = -r[i], with c(0) = 1 and c(d) = r[d - 1]. */
static int solves(int n, double r[n], double y[n]) {
  for (int i = 0; i < n; i++) {
    double error = r[i];
    for (int j = 0; j < n; j++) {
      int distance = i > j ? i - j : j - i;
      error += (distance == 0 ? 1.0 : r[distance - 1]) * y[j];
    }
    if (error > 1e-9 || error < -1e-9)
      return 0;
  }
  return 1;
}

int main(void) {
  static const int sizes[] = {1, 2, 3, 4, 17, 100};
  for (int s = 0; s < 6; s++) {
    int n = sizes[s];
    double r[n], y[n];
    double power = 1.0;
    for (int i = 0; i < n; i++) {
      power *= 0.5;
      r[i] = 0.7 * power;
    }
    durbin(n, r, y);
    print_hash("y", y, sizeof y);
    if (!solves(n, r, y))
      return 1;
  }
  return 0;
}
