//! what: access through a null pointer
//! at: 3:39
int main(void) { void (*f)(void) = 0; f(); return 0; }
