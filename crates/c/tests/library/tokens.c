#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <unistd.h>
int main(void)
{
    char line[] = ",a,,bc", again[] = "x y", fields[] = "p::q", *rest, *part;
    char buffer[8], wide[6] = "badcfe", other[6];
    part = strtok(line, ",");
    CHECK(part == line + 1 && part[1] == 0);
    part = strtok(0, ",");
    CHECK(part == line + 4);
    CHECK(strcmp(part, "bc") == 0);
    CHECK(strtok(0, ",") == 0);
    CHECK(strtok_r(again, " ", &rest) == again);
    CHECK(strcmp(strtok_r(0, " ", &rest), "y") == 0);
    CHECK(strtok_r(0, " ", &rest) == 0);
    rest = fields;
    CHECK(strsep(&rest, ":") == fields);
    CHECK(*strsep(&rest, ":") == 0);
    CHECK(*strsep(&rest, ":") == 'q' && rest == 0);
    CHECK(strsep(&rest, ":") == 0);
    CHECK(strcasecmp("HeLLo", "hEllO") == 0);
    CHECK(strcasecmp("a", "B") < 0);
    CHECK(strncasecmp("abX", "ABy", 2) == 0);
    CHECK(strncasecmp("abX", "ABy", 3) < 0);
    CHECK(strcoll("b", "a") > 0);
    CHECK(memccpy(buffer, "abcdef", 'c', 6) == buffer + 3);
    CHECK(buffer[2] == 'c');
    CHECK(memccpy(buffer, "abc", 'x', 3) == 0);
    swab(wide, other, 6);
    CHECK(memcmp(other, "abcdef", 6) == 0);
    CHECK(*strchrnul("abc", 'x') == 0);
    CHECK(*strchrnul("abc", 'b') == 'b');
    CHECK(memrchr("abab", 'a', 4) != 0);
    CHECK(memmem("abcabd", 6, "abd", 3) != 0);
    CHECK(memmem("abcabd", 6, "abe", 3) == 0);
    CHECK(strcasestr("hello", "LL") != 0);
    CHECK(stpncpy(buffer, "ab", 4) == buffer + 2 && buffer[3] == 0);
    CHECK(index("abc", 'b')[1] == 'c');
    CHECK(rindex("abcb", 'b')[1] == 0);
    CHECK(strxfrm(buffer, "abc", 8) == 3 && buffer[2] == 'c');
    return 0;
}
