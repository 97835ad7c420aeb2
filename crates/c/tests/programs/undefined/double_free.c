//! what: invalid free
//! at: 4:47
void *malloc(unsigned long); void free(void *);
int main(void) { int *p = malloc(8); free(p); free(p); return 0; }
