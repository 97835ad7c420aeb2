//! what: access to an object whose lifetime has ended
//! at: 4:25
static int *f(void) { int x = 1; int *p = &x; return p; }
int main(void) { return *f(); }
