//! 2:6: the length of an array is negative
int a[-1];
int main(void) { return 0; }
