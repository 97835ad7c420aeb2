//! 3:33: `v` has incomplete type `struct unknown`
struct unknown;
int main(void) { struct unknown v; return 0; }
