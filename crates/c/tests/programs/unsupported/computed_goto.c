//! 2:28: unsupported: the address of a label
int main(void) { void *p = &&l; goto *p; l: return 0; }
