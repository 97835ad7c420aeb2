/* Unsafe: a withdrawal is checked against a copy of the balance that may be out of date. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

static int balance = 100;

static void withdraw(int seen, int amount) {
  if (amount <= seen) {
    balance = balance - amount;
  }
}

int main(void) {
  for (int round = 0; round < 3; round++) {
    int seen = balance;
    int first = __VERIFIER_nondet_int();
    int second = __VERIFIER_nondet_int();
    __VERIFIER_assume(first > 0 && first <= 100);
    __VERIFIER_assume(second > 0 && second <= 100);
    withdraw(seen, first);
    withdraw(seen, second);
    if (balance < 0) {
      reach_error();
    }
  }
  return 0;
}
