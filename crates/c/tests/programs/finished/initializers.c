/* Designators, elided braces, strings, compound literals, ranges. */
struct point { int x, y; };
struct shape {
  char name[8];
  struct point corners[3];
  union { long l; char c[4]; } u;
  struct { int in; };
};
struct shape global = {"tri", {{1, 2}, 3, 4, {.y = 6}}, {.c = {1, 2}}, {9}};
int table[] = {[5] = 50, 60, [2] = 20};
int grid[2][3] = {1, 2, 3, 4};
char text[] = "ab" "cd", fixed[3] = "xyz";
int *where = &grid[1][0], *ranged = (int[]){7, 8};
struct flexible { int count; short items[]; } flexible = {3, {10, 20, 30}};
int ranges[10] = {[1 ... 3] = 4, [8] = 5};
struct point pair[2] = {(struct point){1, 2}, {.y = 3}};

int main(void) {
  if (global.corners[1].x != 3 || global.corners[1].y != 4 || global.corners[2].x != 0) return 1;
  if (global.corners[2].y != 6 || global.u.c[1] != 2 || global.in != 9) return 2;
  if (sizeof table != 7 * sizeof(int) || table[6] != 60 || table[2] != 20 || table[0]) return 3;
  if (grid[1][0] != 4 || grid[1][2] || *where != 4 || ranged[1] != 8) return 4;
  if (sizeof text != 5 || text[3] != 'd' || fixed[2] != 'z') return 5;
  if (flexible.items[2] != 30 || sizeof flexible != 4) return 6;
  if (ranges[3] != 4 || ranges[4] || ranges[8] != 5) return 7;
  if (pair[0].y != 2 || pair[1].x || pair[1].y != 3) return 8;
  int n = 4;
  struct shape local = {.corners[1] = {n, n + 1}, .corners[2].y = 7, .name = "q", .in = n};
  if (local.corners[1].y != 5 || local.corners[2].y != 7 || local.corners[0].x) return 9;
  if (local.name[0] != 'q' || local.name[1] || local.in != 4 || local.u.l) return 10;
  struct point *p = &(struct point){n, .x = 9};
  if (p->x != 9 || p->y) return 11;
  int matrix[][2] = {{1}, {2, 3}, 4, 5};
  if (sizeof matrix != 6 * sizeof(int) || matrix[2][1] != 5 || matrix[0][1]) return 12;
  int scalar = {3}, *q = (int[2]){n, n};
  return scalar + q[1] - 7;
}
