#include <stdarg.h>
#include <stdio.h>
#include <string.h>
char b[80];
static int is(const char *text) { return strcmp(b, text) == 0; }
int main(void)
{
    CHECK(sprintf(b, "%hhd %hd %hhu %hx", 300, 70000, -1, -1) == 16 && is("44 4464 255 ffff"));
    CHECK(sprintf(b, "%c%5c|%-3c|%%", 'a', 'b', 'c') == 12 && is("a    b|c  |%"));
    CHECK(sprintf(b, "%8s|%-8s|%.2s|%5.1s|%s", "abc", "abc", "abc", "abc", "") == 27);
    CHECK(is("     abc|abc     |ab|    a|"));
    CHECK(sprintf(b, "%*d|%*d|%.*d|%.*s|%-*d|", 4, 1, -4, 1, 3, 1, 2, "xyz", 3, 7) == 21);
    CHECK(is("   1|1   |001|xy|7  |"));
    CHECK(sprintf(b, "%0*d %.*d", 5, 3, -1, 9) == 7 && is("00003 9"));
    CHECK(sprintf(b, "%30d|", 5) == 31 && b[29] == '5' && b[28] == ' ');
    return 0;
}
