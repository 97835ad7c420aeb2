//! 3:25: 1 arguments for 2 parameters
int f(int a, int b);
int main(void) { return f(1); }
