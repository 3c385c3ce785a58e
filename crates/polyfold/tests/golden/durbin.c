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
  /* sum is one variable: no two cells of sum are needed at a time */
  double sum;
  /* y[i][j] lives in y[(2 * i + j) mod y_size] */
  const int y_size = n <= 2 ? 3 : 2 * n - 3;
  double y[y_size];
#pragma scop
  y[0] = -r[0];
  beta = 1.0;
  alpha = -r[0];
  for (int k = 1; k < n; k++) {
    beta = (1.0 - alpha * alpha) * beta;
    sum = r[k];
    for (int i = 0; i < k; ) {
      const long y_at0 = (2 * i + k - 1) % y_size - 2 * (long)i;
      int last = k - 1;
      if (i + (y_size - 1 - (y_at0 + 2 * i)) / 2 < last)
        last = i + (y_size - 1 - (y_at0 + 2 * i)) / 2;
      for (; i <= last; i++)
        sum = sum + r[k - i - 1] * y[y_at0 + 2 * i];
    }
    alpha = -sum / beta;
    for (int i = 0; i < k; ) {
      const long y_at0 = (2 * i + k - 1) % y_size - 2 * (long)i;
      const long y_at1 = (3 * k - 2 * i - 3) % y_size + 2 * (long)i;
      const long y_at2 = (2 * i + k) % y_size - 2 * (long)i;
      int last = k - 1;
      if (i + (y_size - 1 - (y_at0 + 2 * i)) / 2 < last)
        last = i + (y_size - 1 - (y_at0 + 2 * i)) / 2;
      if (i + (y_at1 - 2 * i) / 2 < last)
        last = i + (y_at1 - 2 * i) / 2;
      if (i + (y_size - 1 - (y_at2 + 2 * i)) / 2 < last)
        last = i + (y_size - 1 - (y_at2 + 2 * i)) / 2;
      for (; i <= last; i++)
        y[y_at2 + 2 * i] = y[y_at0 + 2 * i] + alpha * y[y_at1 - 2 * i];
    }
    y[(3 * k) % y_size] = alpha;
  }
  for (int i = 0; i < n; ) {
    const long y_at0 = (2 * i + n - 1) % y_size - 2 * (long)i;
    int last = n - 1;
    if (i + (y_size - 1 - (y_at0 + 2 * i)) / 2 < last)
      last = i + (y_size - 1 - (y_at0 + 2 * i)) / 2;
    for (; i <= last; i++)
      out[i] = y[y_at0 + 2 * i];
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
