//! 3:6: `long x` conflicts with the earlier declaration `int x`
int x;
long x;
int main(void) { return 0; }
