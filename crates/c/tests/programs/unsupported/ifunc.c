//! 2:29: unsupported: attribute `ifunc`
int f(void) __attribute__ ((ifunc("which"))); int main(void) { return f(); }
