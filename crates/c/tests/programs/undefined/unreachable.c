//! what: unreachable code was reached
//! at: 3:18
int main(void) { __builtin_unreachable(); return 0; }
