//! 2:28: syntax error: missing terminating `"`
int main(void) { char *s = "abc; }
