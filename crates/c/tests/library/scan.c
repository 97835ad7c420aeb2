#include <stdarg.h>
#include <stdio.h>
#include <string.h>
static int listed(const char *text, ...)
{
    va_list list;
    int n;
    va_start(list, text);
    n = vsscanf(text, "%d,%3s", list);
    va_end(list);
    return n;
}
int main(void)
{
    int a = 0, c = 0, n = -1;
    unsigned u;
    long l;
    short h;
    char s[16], t[16], one, other;
    double d;
    float f;
    CHECK(sscanf("12 -7", "%d%d", &a, &c) == 2 && a == 12 && c == -7);
    CHECK(sscanf("x", "%d", &a) == 0 && a == 12);
    CHECK(sscanf("", "%d", &a) == -1);
    CHECK(sscanf("  ", "%d", &a) == -1);
    CHECK(sscanf("5", "%d%d", &a, &c) == 1 && a == 5);
    CHECK(sscanf("10:20", "%d:%d%n", &a, &c, &n) == 2 && a == 10 && c == 20 && n == 5);
    CHECK(sscanf("10;20", "%d:%d", &a, &c) == 1);
    CHECK(sscanf("ff 0x1F 017 11", "%x %x %o %i", &a, &u, &c, &n) == 4 && a == 255 && u == 31 && c == 15 && n == 11);
    CHECK(sscanf("010 0x10", "%i%i", &a, &c) == 2 && a == 8 && c == 16);
    CHECK(sscanf("12345", "%2d%3d", &a, &c) == 2 && a == 12 && c == 345);
    CHECK(sscanf("-12345", "%2d%d", &a, &c) == 2 && a == -1 && c == 2345);
    CHECK(sscanf("hello world", "%s %s", s, t) == 2 && !strcmp(s, "hello") && !strcmp(t, "world"));
    CHECK(sscanf("hello", "%3s%s", s, t) == 2 && !strcmp(s, "hel") && !strcmp(t, "lo"));
    CHECK(sscanf("ab", "%c%c", &one, &other) == 2 && one == 'a' && other == 'b');
    CHECK(sscanf(" b", "%c", &one) == 1 && one == ' ');
    CHECK(sscanf("abc", "%2c", s) == 1 && s[0] == 'a' && s[1] == 'b' && s[2] == 'l');
    CHECK(sscanf("key=value", "%[a-z]=%[^=]", s, t) == 2 && !strcmp(s, "key") && !strcmp(t, "value"));
    CHECK(sscanf("=v", "%[a-z]=%s", s, t) == 0);
    CHECK(sscanf("1 2 3", "%*d %d %*d", &a) == 1 && a == 2);
    CHECK(sscanf("50%", "%d%%%n", &a, &n) == 1 && n == 3);
    CHECK(sscanf("99999999999", "%ld", &l) == 1 && l == 99999999999);
    CHECK(sscanf("99999999999999999999", "%ld", &l) == 1 && l == 9223372036854775807L);
    CHECK(sscanf("70000", "%hd", &h) == 1 && h == 4464);
    CHECK(sscanf("-1", "%u", &u) == 1 && u == 4294967295u);
    CHECK(sscanf("-", "%d", &a) <= 0);
    CHECK(sscanf("1.5 -0.25", "%lf%f", &d, &f) == 2 && d == 1.5 && f == -0.25f);
    CHECK(sscanf("2e3x", "%lf%c", &d, &one) == 2 && d == 2000 && one == 'x');
    CHECK(sscanf(".", "%lf", &d) <= 0);
    CHECK(listed("8,abcd", &a, s) == 2 && a == 8 && !strcmp(s, "abc"));
    CHECK(sscanf("abc", "abd%d", &a) == 0);
    CHECK(sscanf("ab", "abc%d", &a) == -1);
    return 0;
}
