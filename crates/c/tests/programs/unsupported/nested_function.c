//! 2:34: unsupported: nested function `inner`
int main(void) { int x = 1;  int inner(int y) { return x + y; } return inner(2); }
