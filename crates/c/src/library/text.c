/* Strings: tokens, comparison without case, bounded copies. SIZE is `size_t`, WCHAR `wchar_t`. */

char *strtok_r(char *s, const char *separators, char **rest)
{
    SIZE strspn(const char *, const char *), strcspn(const char *, const char *);
    SIZE end;
    if (!s) s = *rest;
    s = s + strspn(s, separators);
    if (!*s) { *rest = s; return 0; }
    end = strcspn(s, separators);
    if (s[end]) { s[end] = 0; *rest = s + end + 1; }
    else *rest = s + end;
    return s;
}

char *strtok(char *s, const char *separators)
{
    char *strtok_r(char *, const char *, char **);
    static char *rest;
    return strtok_r(s, separators, &rest);
}

char *strsep(char **rest, const char *separators)
{
    SIZE strcspn(const char *, const char *);
    char *s = *rest;
    SIZE end;
    if (!s) return 0;
    end = strcspn(s, separators);
    if (s[end]) { s[end] = 0; *rest = s + end + 1; }
    else *rest = 0;
    return s;
}

int __wedge_lower(char c)
{
    unsigned char u = c;
    return u >= 'A' && u <= 'Z' ? u + 32 : u;
}

int strcasecmp(const char *a, const char *b)
{
    int __wedge_lower(char);
    SIZE i = 0;
    while (1) {
        char left = a[i], right = b[i];
        int order = __wedge_lower(left) - __wedge_lower(right);
        if (!left || order) return order;
        i++;
    }
}

int strncasecmp(const char *a, const char *b, SIZE n)
{
    int __wedge_lower(char);
    SIZE i = 0;
    while (i < n && a[i] && __wedge_lower(a[i]) == __wedge_lower(b[i])) i++;
    return i == n ? 0 : __wedge_lower(a[i]) - __wedge_lower(b[i]);
}

int strcoll(const char *a, const char *b)
{
    SIZE i = 0;
    while (a[i] && a[i] == b[i]) i++;
    return (unsigned char)a[i] - (unsigned char)b[i];
}

SIZE strxfrm(char *to, const char *from, SIZE n)
{
    SIZE i = 0;
    while (from[i]) { if (i < n) to[i] = from[i]; i++; }
    if (i < n) to[i] = 0;
    return i;
}

void *memccpy(void *to, const void *from, int c, SIZE n)
{
    unsigned char *a = to;
    const unsigned char *b = from;
    SIZE i = 0;
    while (i < n) {
        a[i] = b[i];
        if (b[i] == (unsigned char)c) return a + i + 1;
        i++;
    }
    return 0;
}

void swab(const void *from, void *to, long n)
{
    const char *a = from;
    char *b = to;
    long i = 0;
    while (i + 1 < n) { char first = a[i]; b[i] = a[i + 1]; b[i + 1] = first; i += 2; }
}

int bcmp(const void *left, const void *right, SIZE n)
{
    const unsigned char *a = left, *b = right;
    SIZE i = 0;
    while (i < n && a[i] == b[i]) i++;
    return i == n ? 0 : a[i] - b[i];
}

void bcopy(const void *from, void *to, SIZE n)
{
    void *memmove(void *, const void *, SIZE);
    memmove(to, from, n);
}

char *index(const char *s, int c)
{
    SIZE i = 0;
    while (s[i] && s[i] != (char)c) i++;
    return s[i] == (char)c ? (char *)s + i : (char *)0;
}

char *rindex(const char *s, int c)
{
    SIZE i = 0;
    char *found = 0;
    while (1) {
        if (s[i] == (char)c) found = (char *)s + i;
        if (!s[i]) return found;
        i++;
    }
}

char *strchrnul(const char *s, int c)
{
    SIZE i = 0;
    while (s[i] && s[i] != (char)c) i++;
    return (char *)s + i;
}

void *memrchr(const void *start, int c, SIZE n)
{
    const unsigned char *s = start;
    while (n > 0) { n--; if (s[n] == (unsigned char)c) return (void *)(s + n); }
    return 0;
}

void *rawmemchr(const void *start, int c)
{
    const unsigned char *s = start;
    SIZE i = 0;
    while (s[i] != (unsigned char)c) i++;
    return (void *)(s + i);
}

void *memmem(const void *start, SIZE n, const void *wanted, SIZE length)
{
    const unsigned char *s = start, *w = wanted;
    SIZE i = 0, j;
    while (i + length <= n) {
        j = 0;
        while (j < length && s[i + j] == w[j]) j++;
        if (j == length) return (void *)(s + i);
        i++;
    }
    return 0;
}

char *strcasestr(const char *s, const char *wanted)
{
    int __wedge_lower(char);
    SIZE i = 0, j;
    while (1) {
        j = 0;
        while (wanted[j] && __wedge_lower(s[i + j]) == __wedge_lower(wanted[j])) j++;
        if (!wanted[j]) return (char *)s + i;
        if (!s[i]) return 0;
        i++;
    }
}

char *stpncpy(char *to, const char *from, SIZE n)
{
    SIZE i = 0, end;
    while (i < n && from[i]) { to[i] = from[i]; i++; }
    end = i;
    while (i < n) { to[i] = 0; i++; }
    return to + end;
}

SIZE strlcpy(char *to, const char *from, SIZE n)
{
    SIZE i = 0;
    while (from[i]) { if (i + 1 < n) to[i] = from[i]; i++; }
    if (n) to[i < n ? i : n - 1] = 0;
    return i;
}

SIZE strlcat(char *to, const char *from, SIZE n)
{
    SIZE end = 0, i = 0;
    while (end < n && to[end]) end++;
    while (from[i]) { if (end + i + 1 < n) to[end + i] = from[i]; i++; }
    if (end < n) to[end + i < n ? end + i : n - 1] = 0;
    return end + i;
}

SIZE wcslen(const WCHAR *s)
{
    SIZE n = 0;
    while (s[n]) n++;
    return n;
}

SIZE wcsnlen(const WCHAR *s, SIZE most)
{
    SIZE n = 0;
    while (n < most && s[n]) n++;
    return n;
}

WCHAR *wcscpy(WCHAR *to, const WCHAR *from)
{
    SIZE i = 0;
    while ((to[i] = from[i])) i++;
    return to;
}

WCHAR *wcsncpy(WCHAR *to, const WCHAR *from, SIZE n)
{
    SIZE i = 0;
    while (i < n && from[i]) { to[i] = from[i]; i++; }
    while (i < n) { to[i] = 0; i++; }
    return to;
}

WCHAR *wcscat(WCHAR *to, const WCHAR *from)
{
    SIZE end = 0, i = 0;
    while (to[end]) end++;
    while ((to[end + i] = from[i])) i++;
    return to;
}

WCHAR *wcsncat(WCHAR *to, const WCHAR *from, SIZE n)
{
    SIZE end = 0, i = 0;
    while (to[end]) end++;
    while (i < n && from[i]) { to[end + i] = from[i]; i++; }
    to[end + i] = 0;
    return to;
}

int wcscmp(const WCHAR *a, const WCHAR *b)
{
    SIZE i = 0;
    while (a[i] && a[i] == b[i]) i++;
    return a[i] == b[i] ? 0 : a[i] < b[i] ? -1 : 1;
}

int wcsncmp(const WCHAR *a, const WCHAR *b, SIZE n)
{
    SIZE i = 0;
    while (i < n && a[i] && a[i] == b[i]) i++;
    return i == n || a[i] == b[i] ? 0 : a[i] < b[i] ? -1 : 1;
}

WCHAR *wcschr(const WCHAR *s, WCHAR c)
{
    SIZE i = 0;
    while (s[i] && s[i] != c) i++;
    return s[i] == c ? (WCHAR *)s + i : (WCHAR *)0;
}

WCHAR *wcsrchr(const WCHAR *s, WCHAR c)
{
    SIZE i = 0;
    WCHAR *found = 0;
    while (1) {
        if (s[i] == c) found = (WCHAR *)s + i;
        if (!s[i]) return found;
        i++;
    }
}

WCHAR *wmemset(WCHAR *to, WCHAR c, SIZE n)
{
    SIZE i = 0;
    while (i < n) { to[i] = c; i++; }
    return to;
}

WCHAR *wmemcpy(WCHAR *to, const WCHAR *from, SIZE n)
{
    SIZE i = 0;
    while (i < n) { to[i] = from[i]; i++; }
    return to;
}

int wmemcmp(const WCHAR *a, const WCHAR *b, SIZE n)
{
    SIZE i = 0;
    while (i < n && a[i] == b[i]) i++;
    return i == n ? 0 : a[i] < b[i] ? -1 : 1;
}
