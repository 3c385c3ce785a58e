/* Three points in one dimension, to and fro between two arrays; both ends stay. */
void kernel(int n, int steps, const double in[n], double out[n]) {
  double P[n], Q[n];
#pragma scop
  for (int i = 0; i < n; i++)
    Q[i] = in[i];
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      P[i] = (Q[i - 1] + Q[i] + Q[i + 1]) * 0.33;
    for (int i = 1; i < n - 1; i++)
      Q[i] = P[i];
  }
  for (int i = 0; i < n; i++)
    out[i] = Q[i];
#pragma endscop
}
