//! 3:1: redefinition of `struct s`
struct s { int a; };
struct s { int b; };
int main(void) { return 0; }
