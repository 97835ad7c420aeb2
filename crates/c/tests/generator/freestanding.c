/* What a 32-bit program needs to run on bare Linux: output, an entry point, and the helper
   functions that the compiler calls for 64-bit division and for copying. */

typedef unsigned long long u64;
typedef long long s64;

static int system_call(int number, int a, int b, int c) {
  int result;
  __asm__ volatile("int $0x80" : "=a"(result) : "0"(number), "b"(a), "c"(b), "d"(c) : "memory");
  return result;
}

static u64 divide(u64 a, u64 b, u64 *rest) {
  u64 quotient = 0, remainder = 0;
  for (int i = 63; i >= 0; i--) {
    remainder = remainder << 1 | (a >> i & 1);
    if (remainder >= b) {
      remainder -= b;
      quotient |= 1ull << i;
    }
  }
  *rest = remainder;
  return quotient;
}

u64 __udivdi3(u64 a, u64 b) { u64 rest; return divide(a, b, &rest); }
u64 __umoddi3(u64 a, u64 b) { u64 rest; divide(a, b, &rest); return rest; }

s64 __divdi3(s64 a, s64 b) {
  u64 rest, quotient = divide(a < 0 ? -(u64)a : a, b < 0 ? -(u64)b : b, &rest);
  return (a < 0) != (b < 0) ? -quotient : quotient;
}

s64 __moddi3(s64 a, s64 b) {
  u64 rest;
  divide(a < 0 ? -(u64)a : a, b < 0 ? -(u64)b : b, &rest);
  return a < 0 ? -rest : rest;
}

int __popcountdi2(s64 x) {
  int count = 0;
  for (u64 rest = x; rest; rest &= rest - 1) count++;
  return count;
}

int __ffsdi2(s64 x) {
  for (int i = 0; i < 64; i++)
    if (x >> i & 1) return i + 1;
  return 0;
}

int __paritysi2(unsigned x) { return __popcountdi2(x) & 1; }
int __clrsbsi2(int x) {
  int count = 0;
  while (count < 31 && (x >> (30 - count) & 1) == (x < 0)) count++;
  return count;
}

int __popcountsi2(int x) { return __popcountdi2((unsigned)x); }

void *memcpy(void *to, const void *from, unsigned size) {
  for (unsigned i = 0; i < size; i++) ((char *)to)[i] = ((const char *)from)[i];
  return to;
}

void *memmove(void *to, const void *from, unsigned size) {
  char copy[4096];
  memcpy(copy, from, size);
  return memcpy(to, copy, size);
}

void *memset(void *to, int value, unsigned size) {
  for (unsigned i = 0; i < size; i++) ((char *)to)[i] = value;
  return to;
}

unsigned strlen(const char *s) {
  unsigned length = 0;
  while (s[length]) length++;
  return length;
}

int strcmp(const char *a, const char *b) {
  while (*a && *a == *b) a++, b++;
  return *(const unsigned char *)a - *(const unsigned char *)b;
}

char *strchr(const char *s, int c) {
  for (; *s != (char)c; s++)
    if (!*s) return 0;
  return (char *)s;
}

void emit(u64 x) {
  char digits[24];
  int at = 24;
  digits[--at] = '\n';
  do {
    u64 rest;
    x = divide(x, 10, &rest);
    digits[--at] = '0' + rest;
  } while (x);
  system_call(4, 1, (int)(digits + at), 24 - at);
}

extern int main(void);

void _start(void) { system_call(1, main(), 0, 0); }
