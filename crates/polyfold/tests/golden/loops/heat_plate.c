/* heat_plate, line 9 */
  if (h >= -1) {
    for (long t = 0; t <= steps; t++) {
      for (int y = 0; y <= (long)h + 1; y++) {
        u[AT(((int)t), y, 0)] = 0;
        u[AT(((int)t), y, w + 1)] = 0;
      }
      for (int x = 1; x <= w; x++) {
        u[AT(((int)t), 0, x)] = 0;
        u[AT(((int)t), h + 1, x)] = 0;
      }
      if (t >= 1)
        for (int y = 1; y <= h; y++)
          for (int x = 1; x <= w; x++)
            u[AT(((int)t), y, x)] = 0.2 * (u[AT(((int)t) - 1, y, x)] + u[AT(((int)t) - 1, y - 1, x)] + u[AT(((int)t) - 1, y + 1, x)] +
                                    u[AT(((int)t) - 1, y, x - 1)] + u[AT(((int)t) - 1, y, x + 1)]);
      else
        for (int y = 1; y <= h; y++)
          for (int x = 1; x <= w; x++)
            u[AT(0, y, x)] = plate[(y - 1) * w + x - 1];
    }
  }
  for (int y = 1; y <= h; y++)
    for (int x = 1; x <= w; x++)
      plate[(y - 1) * w + x - 1] = u[AT(steps, y, x)];
