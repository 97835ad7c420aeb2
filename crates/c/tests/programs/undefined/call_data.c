//! what: call of something that is not a function
//! at: 3:68
int x; int main(void) { int (*f)(void) = (int (*)(void))&x; return f(); }
