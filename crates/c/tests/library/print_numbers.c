#include <stdarg.h>
#include <stdio.h>
#include <string.h>
char b[80];
static int is(const char *text) { return strcmp(b, text) == 0; }
int main(void)
{
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
    return 0;
}
