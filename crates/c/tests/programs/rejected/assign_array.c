//! 2:34: an array cannot be assigned to
int main(void) { int a[2], b[2]; a = b; return 0; }
