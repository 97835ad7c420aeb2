//! 3:60: unsupported: `goto` in the scope of a variable with `cleanup`
void done(int *);
int main(void) { int x __attribute__((cleanup(done))) = 0; goto out; out: return x; }
