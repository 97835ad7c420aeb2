/* The sum of the first n numbers, by its closed form. */
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void) {
    unsigned n = __VERIFIER_nondet_uint(), sum = 0, steps = 0;
    __VERIFIER_assume(n < 1000000);
    for (unsigned i = 1; i <= n; i++) {
        sum += i;
        steps += 4;
    }
    if (2 * sum != n * (n + 1) || steps != 4 * n)
        reach_error();
    return 0;
}
