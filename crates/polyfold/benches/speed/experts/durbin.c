/* Two rows in turns. */
void kernel(int n, int steps, const double r[n], double out[n]) {
  double first[n], second[n];
  double *old = first, *new = second;
  double beta = 1, alpha = r[0];
  old[0] = r[0];
  for (int k = 1; k < n; k++) {
    const double *restrict from = old;
    double *restrict to = new;
    double sum = r[k];
    beta = beta - alpha * alpha * beta;
    for (int i = 0; i < k; i++)
      sum = sum + r[k - i - 1] * from[i];
    alpha = -sum / beta;
    for (int i = 0; i < k; i++)
      to[i] = from[i] + alpha * from[k - i - 1];
    to[k] = alpha;
    new = old;
    old = to;
  }
  for (int i = 0; i < n; i++)
    out[i] = old[i];
}
