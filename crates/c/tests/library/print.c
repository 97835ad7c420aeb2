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
    CHECK(sprintf(b, "a%d-%s\n", 12, "xy") == 7 && is("a12-xy\n"));
    CHECK(sprintf(b, "%d %d %d", 0, -2147483647 - 1, 2147483647) == 24 && is("0 -2147483648 2147483647"));
    CHECK(sprintf(b, "%ld|%llu", -9223372036854775807L - 1, 18446744073709551615ull) == 41);
    CHECK(is("-9223372036854775808|18446744073709551615"));
    CHECK(sprintf(b, "%u %x %X %o", 4294967295u, 0xdeadbeefu, 0xABCu, 8u) == 26 && is("4294967295 deadbeef ABC 10"));
    CHECK(sprintf(b, "[%5d|%-5d|%05d|%+d|% d]", 42, 42, -42, 42, 42) == 27 && is("[   42|42   |-0042|+42| 42]"));
    CHECK(sprintf(b, "%.3d %8.3d %-8.3d|%08.3d", 5, -5, 5, 5) == 30 && is("005     -005 005     |     005"));
    CHECK(sprintf(b, "%.0d|%.d|%5.0d|", 0, 0, 0) == 8 && is("|||     |") == 0 && is("||     |"));
    CHECK(sprintf(b, "%#x %#X %#o %#x %#o", 255, 255, 8, 0, 0) == 17 && is("0xff 0XFF 010 0 0"));
    CHECK(sprintf(b, "%#010x|%#8x|%#-8x|", 255, 255, 255) == 29 && is("0x000000ff|    0xff|0xff    |"));
    CHECK(sprintf(b, "%#.3o %#.0o %#.2o", 8, 0, 64) == 10 && is("010 0 0100"));
    CHECK(sprintf(b, "%hhd %hd %hhu %hx", 300, 70000, -1, -1) == 16 && is("44 4464 255 ffff"));
    CHECK(sprintf(b, "%c%5c|%-3c|%%", 'a', 'b', 'c') == 12 && is("a    b|c  |%"));
    CHECK(sprintf(b, "%8s|%-8s|%.2s|%5.1s|%s", "abc", "abc", "abc", "abc", "") == 27);
    CHECK(is("     abc|abc     |ab|    a|"));
    CHECK(sprintf(b, "%*d|%*d|%.*d|%.*s|%-*d|", 4, 1, -4, 1, 3, 1, 2, "xyz", 3, 7) == 21);
    CHECK(is("   1|1   |001|xy|7  |"));
    CHECK(sprintf(b, "%0*d %.*d", 5, 3, -1, 9) == 7 && is("00003 9"));
    CHECK(sprintf(b, "%30d|", 5) == 31 && b[29] == '5' && b[28] == ' ');
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
