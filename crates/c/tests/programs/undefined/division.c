//! what: division by zero
//! at: 3:36
int main(void) { int z = 0; return 5 / z; }
