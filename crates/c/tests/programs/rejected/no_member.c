//! 3:37: `struct s` has no member `b`
struct s { int a; };
int main(void) { struct s v; return v.b; }
