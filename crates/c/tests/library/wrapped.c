#include <stdarg.h>
#include <stdio.h>
#include <string.h>
char b[80];
static int is(const char *text) { return strcmp(b, text) == 0; }
static int print(char *to, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int n = vsprintf(to, format, list);
    va_end(list);
    return n;
}
static int listed(const char *format, va_list list) { return vsnprintf(b, 9, format, list); }
static int within(int level, const char *format, ...)
{
    va_list list;
    if (level > 1) return -1;
    va_start(list, format);
    int n = listed(format, list);
    va_end(list);
    return n;
}
static int scan(const char *text, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int n = vsscanf(text, format, list);
    va_end(list);
    return n;
}
static int plain(const char *format, int value) { return sprintf(b, format, value); }
int main(void)
{
    int x = 0, y = 0;
    CHECK(print(b, "%d-%s", 42, "ab") == 5 && is("42-ab"));
    CHECK(print(b, "%x", 255) == 2 && is("ff"));
    CHECK(print(b, "%c%%", 65) == 2 && is("A%"));
    CHECK(within(0, "%d %c", 7, 'z') == 3 && is("7 z"));
    CHECK(within(1, "%s", "longer than nine") == 16 && is("longer t"));
    CHECK(within(2, "%s", "x") == -1);
    CHECK(scan("12:34", "%d:%d", &x, &y) == 2 && x == 12 && y == 34);
    CHECK(scan("q", "%d", &x) == 0 && x == 12);
    CHECK(plain("%03d", 5) == 3 && is("005"));
    CHECK(plain("%d", -5) == 2 && is("-5"));
    return 0;
}
