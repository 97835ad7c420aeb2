/* Numbers: parsing, division, random ones. A blank line ends a function; SIZE is `size_t`. */

unsigned long long __wedge_digits(const char *s, SIZE *at, int base, unsigned long long most, int *found, int *over)
{
    unsigned long long value = 0;
    int digit;
    while (1) {
        char c = s[*at];
        if (c >= '0' && c <= '9') digit = c - '0';
        else if (c >= 'a' && c <= 'z') digit = c - 'a' + 10;
        else if (c >= 'A' && c <= 'Z') digit = c - 'A' + 10;
        else return value;
        if (digit >= base) return value;
        unsigned long long low = (value & 0xffffffffull) * base + digit;
        unsigned long long high = (value >> 32) * base + (low >> 32);
        *found = 1;
        value = (high << 32) + (low & 0xffffffffull);
        if (high >> 32 || value > most) *over = 1;
        if (*over) value = most;
        *at = *at + 1;
    }
}

long long __wedge_parse(const char *s, char **end, int base, unsigned long long most, int is_signed)
{
    int *__errno_location(void);
    unsigned long long __wedge_digits(const char *, SIZE *, int, unsigned long long, int *, int *);
    SIZE at = 0;
    int negative = 0, found = 0, over = 0;
    unsigned long long value;
    if (base < 0 || base == 1 || base > 36) { *__errno_location() = 22; return 0; }
    char first = s[0];
    while (first == ' ' || (first >= '\t' && first <= '\r')) { at++; first = s[at]; }
    if (first == '-' || first == '+') { negative = first == '-'; at++; }
    if ((base == 0 || base == 16) && s[at] == '0' && (s[at + 1] == 'x' || s[at + 1] == 'X')) {
        char c = s[at + 2];
        if ((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F')) { at += 2; base = 16; }
    }
    if (base == 0) base = s[at] == '0' ? 8 : 10;
    if (is_signed && negative) most = most + 1;
    value = __wedge_digits(s, &at, base, most, &found, &over);
    if (end) *end = (char *)s + (found ? at : 0);
    if (over) { *__errno_location() = 34; return is_signed && negative ? -(long long)(most - 1) - 1 : (long long)most; }
    return negative ? (long long)-value : (long long)value;
}

int atoi(const char *s)
{
    SIZE at = 0;
    int negative = 0;
    unsigned long value = 0, most = ~0ul >> 1;
    char c = s[0];
    while (c == ' ' || (c >= '\t' && c <= '\r')) { at++; c = s[at]; }
    if (c == '-' || c == '+') { negative = c == '-'; at++; c = s[at]; }
    while (c >= '0' && c <= '9') {
        unsigned long digit = c - '0';
        if (value > (~0ul >> 1) / 10 || value * 10 + digit > most + negative) value = most + negative;
        else value = value * 10 + digit;
        at++;
        c = s[at];
    }
    return (int)(negative ? -value : value);
}

long atol(const char *s)
{
    SIZE at = 0;
    int negative = 0;
    unsigned long value = 0, most = ~0ul >> 1;
    char c = s[0];
    while (c == ' ' || (c >= '\t' && c <= '\r')) { at++; c = s[at]; }
    if (c == '-' || c == '+') { negative = c == '-'; at++; c = s[at]; }
    while (c >= '0' && c <= '9') {
        unsigned long digit = c - '0';
        if (value > (~0ul >> 1) / 10 || value * 10 + digit > most + negative) value = most + negative;
        else value = value * 10 + digit;
        at++;
        c = s[at];
    }
    return (long)(negative ? -value : value);
}

long long atoll(const char *s)
{
    SIZE at = 0;
    int negative = 0;
    unsigned long long value = 0, most = ~0ull >> 1;
    char c = s[0];
    while (c == ' ' || (c >= '\t' && c <= '\r')) { at++; c = s[at]; }
    if (c == '-' || c == '+') { negative = c == '-'; at++; c = s[at]; }
    while (c >= '0' && c <= '9') {
        unsigned long long digit = c - '0';
        if (value > (~0ull >> 1) / 10 || value * 10 + digit > most + negative) value = most + negative;
        else value = value * 10 + digit;
        at++;
        c = s[at];
    }
    return (long long)(negative ? -value : value);
}

long strtol(const char *s, char **end, int base)
{
    long long __wedge_parse(const char *, char **, int, unsigned long long, int);
    return (long)__wedge_parse(s, end, base, ~0ul >> 1, 1);
}

long long strtoll(const char *s, char **end, int base)
{
    long long __wedge_parse(const char *, char **, int, unsigned long long, int);
    return __wedge_parse(s, end, base, ~0ull >> 1, 1);
}

unsigned long strtoul(const char *s, char **end, int base)
{
    long long __wedge_parse(const char *, char **, int, unsigned long long, int);
    return (unsigned long)__wedge_parse(s, end, base, ~0ul, 0);
}

unsigned long long strtoull(const char *s, char **end, int base)
{
    long long __wedge_parse(const char *, char **, int, unsigned long long, int);
    return (unsigned long long)__wedge_parse(s, end, base, ~0ull, 0);
}

long long strtoimax(const char *s, char **end, int base)
{
    long long __wedge_parse(const char *, char **, int, unsigned long long, int);
    return __wedge_parse(s, end, base, ~0ull >> 1, 1);
}

unsigned long long strtoumax(const char *s, char **end, int base)
{
    long long __wedge_parse(const char *, char **, int, unsigned long long, int);
    return (unsigned long long)__wedge_parse(s, end, base, ~0ull, 0);
}

double __wedge_decimal(const char *s, SIZE *at, int *simple)
{
    double power = 1, value;
    unsigned long long digits = 0;
    int count = 0, shift = 0, seen = 0, exponent = 0, sign = 1;
    while (s[*at] >= '0' && s[*at] <= '9') {
        seen = 1;
        if (count < 15) { digits = digits * 10 + (s[*at] - '0'); count += digits != 0; }
        else *simple = 0;
        *at = *at + 1;
    }
    if (s[*at] == '.') {
        SIZE next = *at + 1;
        while (s[next] >= '0' && s[next] <= '9') {
            seen = 1;
            if (count < 15) { digits = digits * 10 + (s[next] - '0'); count += digits != 0; shift--; }
            else *simple = 0;
            next++;
        }
        if (seen) *at = next;
    }
    if (!seen) { *simple = -1; return 0; }
    if (s[*at] == 'e' || s[*at] == 'E') {
        SIZE next = *at + 1;
        if (s[next] == '-' || s[next] == '+') { sign = s[next] == '-' ? -1 : 1; next++; }
        if (s[next] >= '0' && s[next] <= '9') {
            while (s[next] >= '0' && s[next] <= '9') {
                if (exponent < 1000) exponent = exponent * 10 + (s[next] - '0');
                next++;
            }
            *at = next;
        }
    }
    shift += sign * exponent;
    if (shift > 22 || shift < -22) *simple = 0;
    if (*simple != 1) return 0;
    value = digits;
    while (shift > 0) { power *= 10; shift--; if (!shift) return value * power; }
    while (shift < 0) { power *= 10; shift++; if (!shift) return value / power; }
    return value;
}

double strtod(const char *s, char **end)
{
    double __wedge_decimal(const char *, SIZE *, int *);
    void __wedge_refuse(void);
    SIZE at = 0;
    int negative = 0, simple = 1;
    double value;
    while (s[at] == ' ' || (s[at] >= '\t' && s[at] <= '\r')) at++;
    if (s[at] == '-' || s[at] == '+') { negative = s[at] == '-'; at++; }
    if (s[at] == 'i' || s[at] == 'I' || s[at] == 'n' || s[at] == 'N') __wedge_refuse();
    if (s[at] == '0' && (s[at + 1] == 'x' || s[at + 1] == 'X')) __wedge_refuse();
    value = __wedge_decimal(s, &at, &simple);
    if (end) *end = (char *)s + (simple < 0 ? 0 : at);
    if (simple < 0) return 0;
    if (!simple) __wedge_refuse();
    return negative ? -value : value;
}

float strtof(const char *s, char **end)
{
    double strtod(const char *, char **);
    float __wedge_narrow(double);
    void __wedge_refuse(void);
    double value = strtod(s, end), size = value < 0 ? -value : value;
    if (value != 0 && (size > 3e38 || size < 2e-38)) __wedge_refuse();
    return __wedge_narrow(value);
}

double atof(const char *s)
{
    double strtod(const char *, char **);
    return strtod(s, 0);
}

struct __wedge_div { int quot, rem; };
struct __wedge_div div(int a, int b)
{
    struct __wedge_div both;
    both.quot = a / b;
    both.rem = a % b;
    return both;
}

struct __wedge_ldiv { long quot, rem; };
struct __wedge_ldiv ldiv(long a, long b)
{
    struct __wedge_ldiv both;
    both.quot = a / b;
    both.rem = a % b;
    return both;
}

struct __wedge_lldiv { long long quot, rem; };
struct __wedge_lldiv lldiv(long long a, long long b)
{
    struct __wedge_lldiv both;
    both.quot = a / b;
    both.rem = a % b;
    return both;
}

struct __wedge_imaxdiv { long long quot, rem; };
struct __wedge_imaxdiv imaxdiv(long long a, long long b)
{
    struct __wedge_imaxdiv both;
    both.quot = a / b;
    both.rem = a % b;
    return both;
}

int rand_r(unsigned *seed)
{
    unsigned __wedge_any_seed(void);
    int __wedge_any_int(void);
    void __wedge_assume(int);
    int value = __wedge_any_int();
    __wedge_assume(value >= 0);
    *seed = __wedge_any_seed();
    return value;
}

double drand48(void)
{
    double __wedge_any_double(void);
    void __wedge_assume(int);
    double value = __wedge_any_double();
    __wedge_assume(value >= 0 && value < 1);
    return value;
}

int ffs(int value)
{
    return __builtin_ffs(value);
}

int ffsl(long value)
{
    return __builtin_ffsl(value);
}

int ffsll(long long value)
{
    return __builtin_ffsll(value);
}

int isascii(int c)
{
    return (c & ~127) == 0;
}

int toascii(int c)
{
    return c & 127;
}

double difftime(long a, long b)
{
    return (double)a - (double)b;
}

unsigned htonl(unsigned value)
{
    return __builtin_bswap32(value);
}

unsigned ntohl(unsigned value)
{
    return __builtin_bswap32(value);
}

unsigned short htons(unsigned short value)
{
    return __builtin_bswap16(value);
}

unsigned short ntohs(unsigned short value)
{
    return __builtin_bswap16(value);
}

double nextafter(double x, double y)
{
    union { double value; unsigned long long bits; } both;
    if (x != x || y != y) return x + y;
    if (x == y) return y;
    both.value = x;
    if (x == 0) both.bits = y < 0 ? 0x8000000000000000ull + 1 : 1;
    else if ((x < y) == (x > 0)) both.bits++;
    else both.bits--;
    return both.value;
}

float nextafterf(float x, float y)
{
    union { float value; unsigned bits; } both;
    if (x != x || y != y) return x + y;
    if (x == y) return y;
    both.value = x;
    if (x == 0) both.bits = y < 0 ? 0x80000000u + 1 : 1;
    else if ((x < y) == (x > 0)) both.bits++;
    else both.bits--;
    return both.value;
}
