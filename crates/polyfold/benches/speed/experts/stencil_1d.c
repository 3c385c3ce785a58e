/* Two arrays that change places. */
void kernel(int n, int steps, const double in[n], double out[n]) {
  double first[n], second[n];
  double *old = first, *new = second;
  for (int i = 0; i < n; i++)
    first[i] = in[i];
  second[0] = in[0];
  second[n - 1] = in[n - 1];
  for (int t = 0; t < steps; t++) {
    double *restrict to = new;
    const double *restrict from = old;
    for (int i = 1; i < n - 1; i++)
      to[i] = (from[i - 1] + from[i] + from[i + 1]) * 0.33;
    new = old;
    old = to;
  }
  for (int i = 0; i < n; i++)
    out[i] = old[i];
}
