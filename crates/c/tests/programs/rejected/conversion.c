//! 3:25: `struct s` cannot be converted to `int`
struct s { int a; } v;
int main(void) { int x; x = v; return 0; }
