//! 2:1: unsupported: `#pragma weak`
#pragma weak f
int f(void); int main(void) { return f != 0; }
