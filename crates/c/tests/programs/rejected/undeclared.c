//! 2:25: `y` is not declared
int main(void) { return y; }
