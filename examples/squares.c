// Every element is written twice. The property needs formulas about all elements.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

long long a[1000];

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 1000) return 0;
  for (int i = 0; i < n; i++) a[i] = (long long)i * i + 2;
  for (int i = 0; i < n; i++) a[i] = a[i] - 2;
  for (int i = 0; i < n; i++)
    if (a[i] != (long long)i * i) reach_error();
  return 0;
}
