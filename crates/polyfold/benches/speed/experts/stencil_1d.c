/* Two arrays that change places. */
static void step(int n, const double *restrict from, double *restrict to) {
  for (int i = 1; i < n - 1; i++)
    to[i] = (from[i - 1] + from[i] + from[i + 1]) * 0.33;
}

void kernel(int n, int steps, const double in[n], double out[n]) {
  double first[n], second[n];
  double *old = first, *new = second;
  for (int i = 0; i < n; i++)
    first[i] = in[i];
  second[0] = in[0];
  second[n - 1] = in[n - 1];
  for (int t = 0; t < steps; t++) {
    double *last = old;
    step(n, old, new);
    old = new;
    new = last;
  }
  for (int i = 0; i < n; i++)
    out[i] = old[i];
}
