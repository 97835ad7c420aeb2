typedef __builtin_va_list va_list;

struct pair { int *left, *right; };

int x = 1, y = 2, z = 3;

int pick(va_list list, int count) {
  int total = 0;
  while (count-- > 0) {
    struct pair pair = __builtin_va_arg(list, struct pair);
    total += *pair.left + *pair.right;
  }
  return total;
}

int gather(int count, ...) {
  va_list list, copy;
  int total = 0;
  __builtin_va_start(list, count);
  __builtin_va_copy(copy, list);
  for (int i = 0; i < count; i++) {
    int *p = __builtin_va_arg(list, int *);
    total += ++*p;
  }
  for (int i = 0; i < count; i++) total += *__builtin_va_arg(copy, int *);
  total += pick(list, 1);
  __builtin_va_end(copy);
  __builtin_va_end(list);
  return total;
}

int fewer(int *p, int *q) { return *p; }

int main(void) {
  int n = 4, values[n];
  for (int i = 0; i < n; i++) values[i] = i;
  int *space = __builtin_alloca(12);
  space[2] = 5;
  struct pair pair = { &space[2], values + 1 };
  int total = gather(3, &x, values + 2, &z, pair);
  struct pair *at = &(struct pair){ &y, &z };
  total += *at->right + *(1 ? at->left : &x);
  total += ((int (*)(int *))fewer)(&y);
  return total == 0;
}
