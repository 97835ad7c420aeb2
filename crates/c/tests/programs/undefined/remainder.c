//! what: division by zero
//! at: 3:46
int main(void) { unsigned long z = 0; return 5 % z; }
