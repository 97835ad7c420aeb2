//! 2:1: unsupported: complex numbers (`_Complex`)
_Complex double z;
int main(void) { return 0; }
