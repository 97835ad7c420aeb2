/* Library functions as programs: what the encoders use where a program calls them without defining
   them. Each stands alone; a blank line ends it. The number of bytes from a pointer to the end of
   its object is known to the encoders only. */

SIZE strlen(const char *s)
{
    SIZE n = 0;
    while (s[n]) n++;
    return n;
}

SIZE strnlen(const char *s, SIZE most)
{
    SIZE n = 0;
    while (n < most && s[n]) n++;
    return n;
}

char *strcpy(char *to, const char *from)
{
    SIZE i = 0;
    while ((to[i] = from[i])) i++;
    return to;
}

char *stpcpy(char *to, const char *from)
{
    SIZE i = 0;
    while ((to[i] = from[i])) i++;
    return to + i;
}

char *strncpy(char *to, const char *from, SIZE n)
{
    SIZE i = 0;
    while (i < n && from[i]) { to[i] = from[i]; i++; }
    while (i < n) { to[i] = 0; i++; }
    return to;
}

char *strcat(char *to, const char *from)
{
    SIZE end = 0, i = 0;
    while (to[end]) end++;
    while ((to[end + i] = from[i])) i++;
    return to;
}

char *strncat(char *to, const char *from, SIZE n)
{
    SIZE end = 0, i = 0;
    while (to[end]) end++;
    while (i < n && from[i]) { to[end + i] = from[i]; i++; }
    to[end + i] = 0;
    return to;
}

int strcmp(const char *a, const char *b)
{
    SIZE i = 0;
    while (1) {
        unsigned char left = a[i], right = b[i];
        if (!left || left != right) return left - right;
        i++;
    }
}

int strncmp(const char *a, const char *b, SIZE n)
{
    SIZE i = 0;
    while (i < n) {
        unsigned char left = a[i], right = b[i];
        if (!left || left != right) return left - right;
        i++;
    }
    return 0;
}

char *strchr(const char *s, int c)
{
    SIZE i = 0;
    while (1) {
        char found = s[i];
        if (found == (char)c) return (char *)s + i;
        if (!found) return 0;
        i++;
    }
}

char *strrchr(const char *s, int c)
{
    SIZE i = 0;
    char *found = 0;
    while (1) {
        char next = s[i];
        if (next == (char)c) found = (char *)s + i;
        if (!next) return found;
        i++;
    }
}

char *strstr(const char *s, const char *wanted)
{
    SIZE i = 0, j;
    while (1) {
        j = 0;
        while (wanted[j] && s[i + j] == wanted[j]) j++;
        if (!wanted[j]) return (char *)s + i;
        if (!s[i]) return 0;
        i++;
    }
}

int memcmp(const void *left, const void *right, SIZE n)
{
    const unsigned char *a = left, *b = right;
    SIZE i = 0;
    while (i < n) {
        int left = a[i], right = b[i];
        if (left != right) return left - right;
        i++;
    }
    return 0;
}

void *memchr(const void *start, int c, SIZE n)
{
    const unsigned char *s = start;
    SIZE i = 0;
    while (i < n && s[i] != (unsigned char)c) i++;
    return i < n ? (void *)(s + i) : (void *)0;
}

SIZE strspn(const char *s, const char *set)
{
    SIZE n = 0, j;
    while (s[n]) {
        j = 0;
        while (set[j] && set[j] != s[n]) j++;
        if (!set[j]) return n;
        n++;
    }
    return n;
}

SIZE strcspn(const char *s, const char *set)
{
    SIZE n = 0, j;
    while (s[n]) {
        j = 0;
        while (set[j] && set[j] != s[n]) j++;
        if (set[j]) return n;
        n++;
    }
    return n;
}

char *strpbrk(const char *s, const char *set)
{
    SIZE n = 0, j;
    while (s[n]) {
        j = 0;
        while (set[j] && set[j] != s[n]) j++;
        if (set[j]) return (char *)s + n;
        n++;
    }
    return 0;
}

char *strdup(const char *s)
{
    void *malloc(SIZE);
    SIZE n = 0, i = 0;
    while (s[n]) n++;
    char *copy = malloc(n + 1);
    while ((copy[i] = s[i])) i++;
    return copy;
}

char *strndup(const char *s, SIZE most)
{
    void *malloc(SIZE);
    SIZE n = 0, i = 0;
    while (n < most && s[n]) n++;
    char *copy = malloc(n + 1);
    while (i < n) { copy[i] = s[i]; i++; }
    copy[n] = 0;
    return copy;
}

void *memcpy(void *to, const void *from, SIZE n)
{
    unsigned char *a = to;
    const unsigned char *b = from;
    SIZE i = 0;
    while (i < n) { a[i] = b[i]; i++; }
    return to;
}

void *mempcpy(void *to, const void *from, SIZE n)
{
    unsigned char *a = to;
    const unsigned char *b = from;
    SIZE i = 0;
    while (i < n) { a[i] = b[i]; i++; }
    return a + n;
}

void *memmove(void *to, const void *from, SIZE n)
{
    unsigned char *a = to;
    const unsigned char *b = from;
    SIZE i = 0;
    if (a < b) while (i < n) { a[i] = b[i]; i++; }
    else while (i < n) { i++; a[n - i] = b[n - i]; }
    return to;
}

void *memset(void *to, int c, SIZE n)
{
    unsigned char *a = to;
    SIZE i = 0;
    while (i < n) { a[i] = c; i++; }
    return to;
}

void bzero(void *to, SIZE n)
{
    unsigned char *a = to;
    SIZE i = 0;
    while (i < n) { a[i] = 0; i++; }
}

void explicit_bzero(void *to, SIZE n)
{
    unsigned char *a = to;
    SIZE i = 0;
    while (i < n) { a[i] = 0; i++; }
}

void *realloc(void *old, SIZE n)
{
    void *malloc(SIZE);
    void free(void *);
    SIZE __wedge_object_bytes(const void *);
    SIZE i = 0, has;
    if (!old) return malloc(n);
    if (!n) { free(old); return 0; }
    has = __wedge_object_bytes(old);
    unsigned char *new = malloc(n), *bytes = old;
    while (i < n && i < has) { new[i] = bytes[i]; i++; }
    free(old);
    return new;
}
