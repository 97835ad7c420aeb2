//! 2:18: the left side of an assignment is not an object
int main(void) { 3 = 4; return 0; }
