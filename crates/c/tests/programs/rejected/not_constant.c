//! 3:14: not a constant expression
int f(void);
int global = f() + 1;
int main(void) { return 0; }
