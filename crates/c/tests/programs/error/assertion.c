//! at: 5:22
extern void __assert_fail(const char *, const char *, unsigned, const char *);
int main(void) {
  int x = 2;
  x == 3 ? (void)0 : __assert_fail("x == 3", "a.c", 5, "main");
  return 0;
}
