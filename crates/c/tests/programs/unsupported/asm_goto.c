//! 2:18: unsupported: `asm goto`
int main(void) { asm goto ("" : : : : l); l: return 0; }
