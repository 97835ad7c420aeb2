//! what: invalid free
//! at: 4:25
void free(void *);
int main(void) { int x; free(&x); return 0; }
