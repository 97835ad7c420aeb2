//! 2:1: unsupported: complex numbers
_Complex double z;
int main(void) { return 0; }
