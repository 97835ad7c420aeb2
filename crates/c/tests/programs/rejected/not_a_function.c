//! 2:32: `int` is not a function
int main(void) { int x; return x(1); }
