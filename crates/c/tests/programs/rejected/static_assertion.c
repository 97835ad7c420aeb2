//! 2:16: static assertion failed: too small
_Static_assert(sizeof(char) > 1, "too small");
int main(void) { return 0; }
