#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <strings.h>
int main(void)
{
    char *end;
    const char *text = "  -12abc";
    CHECK(atoi("42") == 42);
    CHECK(atoi(" \t-7x") == -7);
    CHECK(atol("+123456789") == 123456789);
    CHECK(atoll("-9223372036854775808") == LLONG_MIN);
    CHECK(strtol(text, &end, 10) == -12);
    CHECK(end == text + 5);
    CHECK(strtol("0x1fz", &end, 0) == 31);
    CHECK(*end == 'z');
    CHECK(strtol("0x", &end, 16) == 0);
    CHECK(*end == 'x');
    CHECK(strtol("077", 0, 0) == 63);
    CHECK(strtol("zz", 0, 36) == 35 * 36 + 35);
    CHECK(strtol("none", &end, 10) == 0);
    CHECK(*end == 'n');
    errno = 0;
    CHECK(strtoll("9223372036854775808", 0, 10) == LLONG_MAX);
    CHECK(errno == ERANGE);
    errno = 0;
    CHECK(strtoll("-9223372036854775808", 0, 10) == LLONG_MIN);
    CHECK(errno == 0);
    CHECK(strtoul("-1", 0, 10) == ULONG_MAX);
    CHECK(strtoull("18446744073709551615", 0, 10) == ULLONG_MAX);
    CHECK(errno == 0);
    CHECK(strtoull("18446744073709551616", 0, 10) == ULLONG_MAX);
    CHECK(errno == ERANGE);
    CHECK(atof("1.5") == 1.5);
    CHECK(strtod("-2.25e2rest", &end) == -225.0);
    CHECK(*end == 'r');
    CHECK(strtod(".", &end) == 0.0);
    CHECK(*end == '.');
    CHECK(div(17, 5).quot == 3);
    CHECK(div(-17, 5).rem == -2);
    CHECK(ldiv(100, 7).rem == 2);
    CHECK(lldiv(-100, 7).quot == -14);
    CHECK(ffs(0) == 0);
    CHECK(ffs(24) == 4);
    return 0;
}
