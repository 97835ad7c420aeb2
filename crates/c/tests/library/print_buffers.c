#include <stdarg.h>
#include <stdio.h>
#include <string.h>
char b[80];
static int is(const char *text) { return strcmp(b, text) == 0; }
static int listed(const char *name, ...)
{
    va_list list;
    int n;
    va_start(list, name);
    n = vsnprintf(b, sizeof b, "%d %s %lx", list);
    va_end(list);
    return n;
}
int main(void)
{
    int n = 7;
    signed char h;
    long l;
    CHECK(sprintf(b, "%zu %jd %td", sizeof(int), (long)-1, (long)3) == 6 && is("4 -1 3"));
    memset(b, 'z', sizeof b);
    CHECK(snprintf(b, 4, "%d", 12345) == 5 && is("123") && b[4] == 'z');
    CHECK(snprintf(b, 1, "%s", "abc") == 3 && is("") && b[1] == '2');
    CHECK(snprintf(0, 0, "%s-%d", "abc", 10) == 6);
    CHECK(snprintf(b, 3, "ab") == 2 && is("ab"));
    CHECK(snprintf(b, 3, "abc%c", 'd') == 4 && is("ab"));
    CHECK(sprintf(b, "ab%nc%d%hhn%ln", &n, 100, &h, &l) == 6 && n == 2 && h == 6 && l == 6);
    CHECK(listed("x", 5, "abc", 255L) == 8 && is("5 abc ff"));
    CHECK(sprintf(b, "plain", 1, 2) == 5 && is("plain"));
    printf("%d%n", 1234, &n);
    CHECK(n == 4);
    CHECK(printf("%s\n", "abc") == 4);
    return 0;
}
