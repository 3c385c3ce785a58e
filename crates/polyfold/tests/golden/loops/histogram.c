/* histogram, line 7 */
  for (int b = 0; b < BINS; b++)
    bins[b] = 0;
  for (int i = 0; i < n; i++) {
    key[i] = in[i] / 16;
    bins[key[i]] += 1;
  }
  below[0] = 0;
  for (int b = 0; b < BINS; b++)
    below[b + 1] = below[b] + bins[b];
  for (int i = 0; i < n; i++)
    out[i] = below[in[i] / 16];
