//! what: write to a read-only object
//! at: 3:37
int main(void) { char *s = "const"; s[0] = 'x'; return 0; }
