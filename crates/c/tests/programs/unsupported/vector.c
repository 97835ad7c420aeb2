//! 5:14: unsupported: a conversion of vectors
typedef int numbers __attribute__((vector_size(16)));
typedef float reals __attribute__((vector_size(16)));
int main(void) { reals r = {0};
 numbers n = (numbers)r; return n[0]; }
