int counter = 1, table[] = {10, 20, 30};
char *name = "wedge";
int tentative;
int bump(int n) { int old = n; counter += n; return old; }
long scale(int n, double by) { tentative++; return n * by; }
int implicit(int a, int b) { return a + b; }
