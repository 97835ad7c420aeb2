int counters[4];
int *current = counters;

int add(int x) { *current += x; return *current; }
int next(int x) { current++; if (current > counters + 3) current = counters; return x; }
int twice(int (*f)(int), int x) { return f(f(x)); }
int none(void) { return *current; }

struct operation { const char *name; int (*run)(int); };
struct operation table[] = { { "add", add }, { "next", next } };
int (*extra[2])(int) = { next, add };

int grid[3][4][5];

int (*choose(int i))(int) { return i & 1 ? table[i % 2].run : extra[i % 2]; }

int factorial(int n, int *result) {
  int part = 1;
  if (n > 1) factorial(n - 1, &part);
  return *result = n * part;
}

int main(void) {
  int total = 0;
  for (int i = 0; i < 6; i++) {
    struct operation *o = &table[i % 2];
    total += o->run(i) + twice(choose(i), i);
    grid[i % 3][2][i % 5] = i;
  }
  int (*row)[5] = grid[1];
  for (int i = 0; i < 4; i++) total += row[i][3] + (*(row + i))[1];
  int *flat = &grid[0][0][0];
  for (int i = 0; i < 60; i++) total += *flat++;
  int result;
  factorial(6, &result);
  int (*odd)() = (int (*)())none;
  total += odd(1, 2);
  return total + result == 0;
}
