/* typeof, local labels, attributes in odd places, asm, empty records. */
typedef int aligned_int __attribute__((aligned(16)));
struct __attribute__((packed)) tight { char c; int i; short s; } __attribute__((aligned(2)));
struct empty {};
enum __attribute__((packed)) tiny { T1, T2 = 200 };
static int __attribute__((unused)) spare __attribute__((section(".data"))) = 4;
extern int printf(const char *restrict, ...) __asm__("" "printf") __attribute__((format(printf, 1, 2)));
extern int declared_twice(int), declared_twice(int);
typedef int word __attribute__((mode(DI)));
#pragma pack(push, 1)
struct pragma { char c; long long l; };
#pragma pack(pop)
struct after { char c; short s; };
static int quick(void) { return 3; }
int alias(void) __attribute__((alias("quick")));
_Static_assert(sizeof(struct pragma) == 9, "packed");
_Static_assert(sizeof(struct after) == 4);

int main(void) {
  __typeof__(spare) t = 5;
  typeof(int *) p = &t;
  __auto_type copy = *p;
  if (sizeof(struct tight) != 8 || sizeof(struct empty) || sizeof(enum tiny) != 1) return 1;
  if (sizeof(word) != 8 || _Alignof(struct tight) != 2) return 2;
  int total = 0;
  for (int i = 0; i < 2; i++) {
    __label__ skip;
    if (i) goto skip;
    total += 10;
  skip:
    total++;
  }
  {
    __label__ skip;
    goto skip;
    total = 0;
  skip:;
  }
  if (total != 12 || copy != 5) return 3;
  __asm__ volatile("" : "+r"(t) : : "memory");
  if (t) asm("nop");
  switch (t) { case 5: ; __attribute__((fallthrough)); case 6: total++; }
  if (total != 13 || __func__[0] != 'm' || sizeof __FUNCTION__ != 5) return 4;
  if (sizeof (int[]){1, 2, 3} != 12 || __alignof__(t) != 4) return 5;
  if (({ struct empty e; struct empty f = e; sizeof f; }) || alias() != 3) return 6;
  const char *wide = "\e[0m\x1b";
  if (wide[0] != wide[4] || '\0' || 'ab' != 'a' * 256 + 'b' || L'\x3b1' != 945) return 7;
  if (0b101 != 5 || 0x10 + 010 != 24 || 1 ? 0 : 1) return 8;
  return L"\u03b1z"[1] - L'z' + sizeof u8"é" - 3;
}
