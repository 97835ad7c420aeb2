//! 2:18: `break` outside a loop or `switch`
int main(void) { break; return 0; }
