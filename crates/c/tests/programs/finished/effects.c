/* Order of side effects, short circuits, GNU conditional, statement expressions. */
static int calls;
static int f(int x) { calls = calls * 10 + x; return x; }

int main(void) {
  int x = 1, y = 2, z;
  z = f(0) && f(1) || f(2);
  if (z != 1 || calls != 2) return 1;
  calls = 0;
  z = f(1) ? f(2) : f(3);
  if (z != 2 || calls != 12) return 2;
  calls = 0;
  z = f(4) ?: f(5);
  if (z != 4 || calls != 4) return 3;
  z = (x++, x + y);
  if (z != 4 || x != 2) return 4;
  z = ({ int t = x; x = y; y = t + 5; t; });
  if (z != 2 || x != 2 || y != 7) return 5;
  int a[3] = {0}, i = 0;
  a[i++] = 5;
  a[i] += a[i - 1]++;
  if (a[0] != 6 || a[1] != 5 || i != 1) return 6;
  x = y = z = 9;
  if (x-- + --y != 17 || x != 8) return 7;
  calls = 0;
  if (!(f(0) || (f(1) && !f(2)))) calls += 1000;
  if (calls != 1012) return 8;
  x = 3;
  x += y++ > 2 ? 10 : 20;
  if (x != 13) return 9;
  _Bool b = 0;
  b += 5;
  b--;
  if (b) return 10;
  b--;
  if (b != 1) return 11;
  for (x = 0, y = 10; x < y; x++, y--) z = x;
  if (z != 4) return 12;
  (x > y) ? (z = 1) : (z = 2);
  *(z == 2 ? &x : &y) = 77;
  return !(x == 77 || y == 77);
}
