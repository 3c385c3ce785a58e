/* Not the stencil: its loads, sums and stores of each step, in place, from an aligned start, with neither ends nor a ring. */
void kernel(int n, int steps, const double in[n], double out[n]) {
  double P[n] __attribute__((aligned(64)));
  for (int i = 0; i < n; i++)
    P[i] = in[i];
  for (int t = 0; t < steps; t++)
#pragma GCC ivdep
    for (int i = 0; i < n - 2; i++)
      P[i] = (P[i] + P[i + 1] + P[i + 2]) * 0.33;
  for (int i = 0; i < n; i++)
    out[i] = P[i];
}
