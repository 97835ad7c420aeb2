//! 2:18: syntax error: stray `@`
int main(void) { @ return 0; }
