/* Bit-fields: signs, truncation, promotion by width, packing into units. */
struct flags {
  int a : 3;
  unsigned b : 5;
  _Bool c : 1;
  unsigned : 0;
  unsigned d : 31;
  unsigned long long e : 40;
};

int main(void) {
  struct flags f = {3, 31, 2};
  if (f.a != 3 || f.b != 31 || f.c != 1) return 1;
  f.a++;
  if (f.a != -4) return 2;
  f.b += 2;
  if (f.b != 1) return 3;
  if ((f.b = 33) != 1) return 4;
  f.d = -1;
  if (f.d - 2147483647 != 0 || f.d < -1) return 5;
  f.e = 1ull << 39;
  if (f.e << 1 != 0) return 6;
  if (f.e * 2 != 0 || f.e * 2ull == 0) return 7;
  struct flags g = f, *p = &g;
  p->a = -1;
  if (g.a != -1 || f.a != -4 || g.b != 1) return 8;
  if (sizeof(struct flags) != 16) return 9;
  return 0;
}
