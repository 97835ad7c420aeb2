typedef int number;
typedef struct { char c; double d; } pair;
int main(void)
{
    __typeof__(number) x = 3;
    __typeof__(pair) p = {1, 2.0};
    number number = 4;
    __typeof__(number) y = number;
    if (_Alignof(pair) != __alignof__(p) || sizeof(__typeof__(pair)) != sizeof p) return 1;
    return x != 3 || p.d != 2.0 || y != 4;
}
