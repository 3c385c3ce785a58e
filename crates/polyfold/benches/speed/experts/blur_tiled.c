/* The same tiles, with one row of a tile in a line of its own, and the end of each row kept for the next tile. */
enum { TILE = 256 };

void kernel(int n, int steps, const double in[n + 2][n], double out[restrict n][n]) {
  double line[TILE + 2], ends[TILE][2];
  for (int X = 0; X < n; X += TILE)
    for (int Y = 0; Y < n; Y += TILE) {
      int rows = n - X < TILE ? n - X : TILE, columns = n - Y < TILE ? n - Y : TILE;
      for (int x = 0; x < rows; x++) {
        const double *above = in[X + x] + Y, *here = in[X + x + 1] + Y, *below = in[X + x + 2] + Y;
        for (int y = 0; y < columns; y++)
          line[y + 2] = (above[y] + here[y] + below[y]) * 0.33;
        if (Y > 0) {
          line[0] = ends[x][0];
          line[1] = ends[x][1];
        }
        for (int y = Y > 0 ? 0 : 2; y < columns; y++)
          out[X + x][Y + y] = (line[y] + line[y + 1] + line[y + 2]) * 0.33;
        ends[x][0] = line[columns];
        ends[x][1] = line[columns + 1];
      }
    }
}
