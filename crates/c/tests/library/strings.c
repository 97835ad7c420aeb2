#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <strings.h>
int main(void)
{
    char b[8] = "abcd", c[8] = {1, 2, 3}, *p;
    const char *s = "hello, world";
    CHECK(strlen(s) == 12 && strnlen(s, 3) == 3);
    CHECK(strchr(s, 'o') == s + 4 && strrchr(s, 'o') == s + 8 && strchr(s, 'x') == 0);
    CHECK(strchr(s, 0) == s + 12);
    CHECK(strstr(s, "wor") == s + 7 && strstr(s, "") == s);
    CHECK(strpbrk(s, "xyw") == s + 7);
    CHECK(strspn(s, "hel") == 4 && strcspn(s, " ") == 6);
    CHECK(memchr(s, 'w', 12) == s + 7 && memchr(s, 'w', 7) == 0);
    CHECK(memcmp("ab", "ac", 2) < 0 && bcmp("ab", "ab", 2) == 0);
    CHECK(strcmp("b", "ab") > 0 && strncmp("abx", "aby", 2) == 0);
    memmove(b + 1, b, 3);
    CHECK(strcmp(b, "aabc") == 0);
    CHECK(strncpy(c, "x", 3) == c && c[0] == 'x' && c[1] == 0 && c[2] == 0);
    CHECK(strcat(c, "yz") == c && strcmp(c, "xyz") == 0);
    CHECK(strncat(c, "abcd", 2) == c && strcmp(c, "xyzab") == 0);
    CHECK(stpcpy(c, "ab") == c + 2);
    CHECK(mempcpy(c, "pq", 2) == c + 2 && c[1] == 'q');
    bzero(c, 1);
    CHECK(c[0] == 0 && c[1] == 'q');
    explicit_bzero(c, 2);
    CHECK(c[1] == 0);
    p = strdup("ab");
    CHECK(strcmp(p, "ab") == 0);
    p = strndup("abc", 2);
    CHECK(strcmp(p, "ab") == 0);
    p = calloc(2, 2);
    CHECK(p[0] == 0 && p[3] == 0);
    p[1] = 5;
    p = realloc(p, 20);
    CHECK(p[1] == 5);
    char *aligned = aligned_alloc(64, 128);
    CHECK(((unsigned long)aligned & 63) == 0);
    void *more;
    CHECK(posix_memalign(&more, 256, 1) == 0 && ((unsigned long)more & 255) == 0);
    return 0;
}
