#define _GNU_SOURCE
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
static int count(int kind)
{
    int sum = 0;
    for (int c = -1; c < 130; c++)
        sum += kind == 0 ? !!isalpha(c) : kind == 1 ? !!isdigit(c) : kind == 2 ? !!isspace(c)
            : kind == 3 ? !!isupper(c) : kind == 4 ? !!isxdigit(c) : kind == 5 ? !!ispunct(c)
            : kind == 6 ? !!iscntrl(c) : !!isprint(c);
    return sum;
}
int main(void)
{
    CHECK(count(0) == 52);
    CHECK(count(1) == 10);
    CHECK(count(2) == 6);
    CHECK(count(3) == 26);
    CHECK(count(4) == 22);
    CHECK(count(5) == 32);
    CHECK(count(6) == 33);
    CHECK(count(7) == 95);
    CHECK(toupper('q') == 'Q' && toupper('!') == '!' && tolower('Q') == 'q' && tolower(-1) == -1);
    CHECK(isalnum('z') && isblank('\t') && isgraph('!') && islower('z'));
    CHECK(fmod(7.5, 2.0) == 1.5 && sqrt(6.25) == 2.5 && fabs(-2.0) == 2.0);
    CHECK(floor(-1.5) == -2.0 && ceil(-1.5) == -1.0 && lrint(2.5) == 2);
    CHECK(strtof("0.25", 0) == 0.25f && strtof("-3e2", 0) == -300.0f);
    CHECK(abs(-3) == 3 && labs(-4l) == 4 && llabs(-5ll) == 5);
    return 0;
}
