/* Calls do not use the stack of the interpreter. */
static int depth(int n) { return n == 0 ? 0 : 1 + depth(n - 1); }

int main(void) { return depth(100000) != 100000; }
