//! what: access to an object whose lifetime has ended
//! at: 4:62
void *malloc(unsigned long); void free(void *);
int main(void) { int *p = malloc(8); *p = 1; free(p); return *p; }
