//! 2:16: syntax error: unmatched `{`
int main(void) { if (1) { return 0; }
