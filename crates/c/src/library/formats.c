/* What versions of `sscanf` have in common. SIZE is `size_t`. */

long long __wedge_scan_integer(const char *s, SIZE *at, int base, SIZE width, int kind, int *is_there)
{
    int is_signed = kind & 1, is_long = kind > 1;
    unsigned long long most = is_long ? ~0ull : ~0ul, value = 0;
    int negative = 0, over = 0, digit;
    SIZE i = *at, end = width > ~i ? ~(SIZE)0 : i + width;
    if (s[i] == '-' || s[i] == '+') { negative = s[i] == '-'; i++; }
    if (is_signed) most = (most >> 1) + negative;
    if (i < end && s[i] == '0' && (base == 0 || base == 16)) {
        *is_there = 1;
        i++;
        if (i < end && (s[i] == 'x' || s[i] == 'X')) { base = 16; *is_there = 0; i++; }
        else if (base == 0) base = 8;
    }
    if (base == 0) base = 10;
    while (i < end) {
        char c = s[i];
        if (c >= '0' && c <= '9') digit = c - '0';
        else if (c >= 'a' && c <= 'f') digit = c - 'a' + 10;
        else if (c >= 'A' && c <= 'F') digit = c - 'A' + 10;
        else break;
        if (digit >= base) break;
        *is_there = 1;
        if (!over) {
            unsigned long long low = (value & 0xffffffffull) * base + digit;
            unsigned long long high = (value >> 32) * base + (low >> 32);
            value = (high << 32) + (low & 0xffffffffull);
            if (high >> 32 || value > most) over = 1;
        }
        i++;
    }
    *at = i;
    if (over) value = most;
    if (over && !is_signed) return (long long)value;
    return negative ? (long long)-value : (long long)value;
}

double __wedge_scan_double(const char *s, SIZE *at, SIZE width, int *is_there)
{
    double __wedge_decimal(const char *, SIZE *, int *);
    void __wedge_refuse(void);
    int negative = 0, simple = 1;
    SIZE i = *at;
    double value;
    if (width < 4000) __wedge_refuse();
    if (s[i] == '-' || s[i] == '+') { negative = s[i] == '-'; i++; }
    if (s[i] == 'i' || s[i] == 'I' || s[i] == 'n' || s[i] == 'N') __wedge_refuse();
    if (s[i] == '0' && (s[i + 1] == 'x' || s[i + 1] == 'X')) __wedge_refuse();
    value = __wedge_decimal(s, &i, &simple);
    if (simple < 0) { *is_there = 0; return 0; }
    /* What follows looks like an exponent, but is none. */
    if (s[i] == 'e' || s[i] == 'E' || !simple) __wedge_refuse();
    *at = i;
    return negative ? -value : value;
}

float __wedge_narrow(double value)
{
    void __wedge_refuse(void);
    union { double value; unsigned long long bits; } both;
    both.value = value;
    /* Halfway between two numbers: the text may have been on either side. */
    if ((both.bits & 0x1fffffff) == 0x10000000) __wedge_refuse();
    return (float)value;
}
