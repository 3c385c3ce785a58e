/* fir_decimate, line 7 */
  for (int i = 0; i < 3 * n; i++) {
    filtered[i] = 0.0;
    for (int k = 0; k < TAPS; k++)
      filtered[i] += c[k] * in[i + k];
  }
  for (int i = 0; i < n; i++)
    kept[i] = filtered[3 * i];
  for (int i = 0; i < n; i++)
    out[i] = i >= 2 ? 0.5 * kept[i] + 0.3 * kept[i - 1] + 0.2 * kept[i - 2] : kept[i];
