//! 3:1: syntax error: unexpected `}`
int main(void) { return 1
}
