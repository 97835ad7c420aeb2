//! 3:39: unsupported: attribute `cleanup`
void done(int *);
int main(void) { int x __attribute__((cleanup(done))) = 0; return x; }
