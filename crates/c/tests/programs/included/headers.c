/* Headers of the C library, macros, and line numbers across them. */
#include <stdio.h>
#include <stdlib.h>
#include <assert.h>
#include <string.h>
#include <limits.h>
#include <stdint.h>
#include <stdbool.h>
#include <stddef.h>
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <setjmp.h>
#include <signal.h>
#include <time.h>
#include <wchar.h>
#include <float.h>
#include <inttypes.h>
#define SQUARE(x) ((x) * (x))
static int max(int n, ...) { va_list ap; va_start(ap, n); int m = INT_MIN; while (n--) { int v = va_arg(ap, int); if (v > m) m = v; } va_end(ap); return m; }
struct s { char a; uint64_t b; };
int main(int argc, char **argv) {
  bool b = true;
  int *p = malloc(sizeof *p * 4);
  if (p == NULL) return 1;
  memset(p, 0, 16);
  assert(SQUARE(3) == 9);
  assert(max(3, 1, 9, 4) == 9);
  printf("%d %s\n", p[0], strchr("hello", 'l'));
  errno = 3;
  if (errno != 3) return 4;
  if (isnan(sqrt(-1.0)) == 0 || isdigit('7') == 0 || isinf(HUGE_VAL) == 0 || signbit(-1.0f) == 0 || fpclassify(1.0) != FP_NORMAL) return 2;
  free(p);
  return offsetof(struct s, b) == (sizeof(long) == 8 ? 8 : 4) && b && __LINE__ == 35 && UINT64_MAX > 5 && abs(-3) == 3 && fabs(-DBL_MAX) > 1 ? 0 : 3;
}
