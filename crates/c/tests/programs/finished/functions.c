/* Old-style definitions, variable arguments, function pointers, records by value, recursion. */
typedef __builtin_va_list va_list;
struct pair { short a; long b; char c[3]; };

old(c, f, u) char c; float f; struct pair u; { return c + (int)f + u.b; }

static int sum(const char *kinds, ...) {
  va_list list, copy;
  int total = 0;
  __builtin_va_start(list, kinds);
  __builtin_va_copy(copy, list);
  for (; *kinds; kinds++) {
    switch (*kinds) {
      case 'i': total += __builtin_va_arg(list, int); break;
      case 'l': total += __builtin_va_arg(list, long long); break;
      case 'd': total += __builtin_va_arg(list, double); break;
      case 'p': total += __builtin_va_arg(list, struct pair).b; break;
      case 's': total += *__builtin_va_arg(list, char *); break;
    }
  }
  total += 1000 * __builtin_va_arg(copy, int);
  __builtin_va_end(list);
  return total;
}

static int vsum(int n, va_list list) { return n ? __builtin_va_arg(list, int) + vsum(n - 1, list) : 0; }
static int outer(int n, ...) {
  va_list list;
  __builtin_va_start(list, n);
  return vsum(n, list);
}

static struct pair make(int n) { struct pair p = {n, n * 2, {1, 2, 3}}; return p; }
static struct pair twice(struct pair p) { p.a *= 2; p.c[1] = 9; return p; }
static int even(unsigned n);
static int odd(unsigned n) { return n ? even(n - 1) : 0; }
static int even(unsigned n) { return n ? odd(n - 1) : 1; }
static int add(int a, int b) { return a + b; }
static int (*choose(int which))(int, int) { return which ? add : 0; }
int later();

int main() {
  struct pair p = make(5), q = twice(p);
  if (p.a != 5 || q.a != 10 || q.b != 10 || p.c[1] != 2 || q.c[1] != 9) return 1;
  if (make(7).b != 14 || twice(make(1)).c[2] != 3) return 2;
  if (old(300, 2.5f, p) != 44 + 2 + 10) return 3;
  if (sum("ildps", 1, 2ll, 3.5, p, "A") != 1 + 2 + 3 + 10 + 65 + 1000) return 4;
  if (outer(3, 4, 5, 6) != 15) return 5;
  if (!even(100) || odd(100)) return 6;
  int (*f)(int, int) = choose(1);
  if (f(2, 3) != 5 || (*f)(1, 1) != 2 || (***f)(4, 4) != 8 || choose(0)) return 7;
  int (*table[2])(int, int) = {add, &add};
  if (table[1](1, 2) != 3 || table[0] != add) return 8;
  if (later(5) != 11) return 9;
  return 0;
}

int later(long long x) { return x * 2 + 1; }
