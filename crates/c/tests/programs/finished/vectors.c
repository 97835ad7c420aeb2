typedef int four __attribute__((vector_size(16)));
typedef float two __attribute__((vector_size(8)));
typedef unsigned char bytes __attribute__((vector_size(8)));
typedef short halves __attribute__((vector_size(8)));
struct holder { char c; bytes b; } held = {1, {2, 3, 4}};
four global = {1, -2, 3};
static two squared(two x) { return x * x + 1.0f; }
static int calls;
static int next(void) { return ++calls; }
int main(void)
{
    four a = {1, 2, 3, 4}, b = {10, 20, 30, 40}, c = a * b - 2, d;
    if (c[0] != 8 || c[3] != 158 || sizeof c != 16 || _Alignof(four) != 16) return 1;
    a += b;
    if (a[2] != 33 || global[1] != -2 || global[3] != 0) return 2;
    d = a > b;
    if (d[0] != -1 || (a == b)[3] != 0) return 3;
    d = -a;
    if (d[1] != -22 || (~a)[1] != -23 || (+a)[0] != 11) return 4;
    two r = squared((two){2, 3});
    if (r[1] != 10.0f || (r < 6.0f)[0] != -1) return 5;
    held.b += 254;
    if (held.b[0] != 0 || held.b[1] != 1 || held.b[7] != 254 || held.c != 1) return 6;
    int i = 2;
    held.b[i] = 9;
    if (held.b[2] != 9 || sizeof held != 16) return 7;
    four e = global + next(), *p = &e;
    if (calls != 1 || (*p)[1] != -1) return 8;
    d = (four){7, 7, 7, 7} % b << 1;
    if (d[0] != 14 || (100 / a)[0] != 9) return 9;
    halves h = {300, -300};
    h *= 200;
    if (h[0] != (short)60000 || h[1] != (short)-60000) return 10;
    return 0;
}
