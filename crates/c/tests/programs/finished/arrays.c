/* Multi-dimensional and variable-length arrays, pointers into them. */
static int total(int n, int m, int a[n][m]) {
  int sum = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) sum = sum * 2 + a[i][j];
  return sum + sizeof a[0];
}

static int size_of(int n) {
  char buffer[n++];
  return sizeof buffer * 100 + n;
}

int main(void) {
  int n = 3, grid[2][3] = {{1, 2, 3}, {4, 5, 6}};
  int(*row)[3] = grid;
  if (row[1][2] != 6 || (*(row + 1))[0] != 4 || *(*grid + 4) != 5) return 1;
  if (total(2, 3, grid) != ((((1 * 2 + 2) * 2 + 3) * 2 + 4) * 2 + 5) * 2 + 6 + 12) return 2;
  int cube[n][n + 1][2];
  if (sizeof cube != 3 * 4 * 2 * sizeof(int) || sizeof cube[0] != 8 * sizeof(int)) return 3;
  for (int i = 0; i < n * (n + 1) * 2; i++) (&cube[0][0][0])[i] = i;
  if (cube[2][1][1] != 2 * 8 + 2 + 1) return 4;
  int(*plane)[n + 1][2] = cube + 1;
  if (plane[1][0][1] != 17 || &cube[2] - plane != 1) return 5;
  if (size_of(7) != 708) return 6;
  int *end = &grid[1][3], count = 0;
  for (int *p = grid[0]; p != end; ++p) count += *p;
  if (count != 21 || end - grid[0] != 6 || 1 [grid][1] != 5) return 7;
  for (int i = 1; i < 4; i++) {
    int line[i];
    line[i - 1] = i;
    count += line[i - 1] + sizeof line;
  }
  return count - 21 - 6 - 24;
}
