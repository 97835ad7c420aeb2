/* Safe: x moves in steps of two and is taken back to 0, so it never becomes odd.
   The unrolling never ends, but the interpolant "x is even" is inductive. */
extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void) {
  unsigned int x = 0;
  while (__VERIFIER_nondet_uint()) {
    x += 2;
    if (x > 1000) {
      x = 0;
    }
  }
  if (x % 2) {
    reach_error();
  }
  return 0;
}
