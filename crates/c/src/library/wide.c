/* Wide and multibyte characters in the C locale. SIZE is `size_t`, WCHAR `wchar_t`; `wint_t` is
   unsigned. Beyond ASCII it is up to the system what a character is. */

int iswalnum(unsigned c)
{
    int isalnum(int);
    return c < 128 && isalnum((int)c);
}

int iswalpha(unsigned c)
{
    int isalpha(int);
    return c < 128 && isalpha((int)c);
}

int iswblank(unsigned c)
{
    int isblank(int);
    return c < 128 && isblank((int)c);
}

int iswcntrl(unsigned c)
{
    int iscntrl(int);
    return c < 128 && iscntrl((int)c);
}

int iswdigit(unsigned c)
{
    int isdigit(int);
    return c < 128 && isdigit((int)c);
}

int iswgraph(unsigned c)
{
    int isgraph(int);
    return c < 128 && isgraph((int)c);
}

int iswlower(unsigned c)
{
    int islower(int);
    return c < 128 && islower((int)c);
}

int iswprint(unsigned c)
{
    int isprint(int);
    return c < 128 && isprint((int)c);
}

int iswpunct(unsigned c)
{
    int ispunct(int);
    return c < 128 && ispunct((int)c);
}

int iswspace(unsigned c)
{
    int isspace(int);
    return c < 128 && isspace((int)c);
}

int iswupper(unsigned c)
{
    int isupper(int);
    return c < 128 && isupper((int)c);
}

int iswxdigit(unsigned c)
{
    int isxdigit(int);
    return c < 128 && isxdigit((int)c);
}

unsigned towlower(unsigned c)
{
    return c >= 'A' && c <= 'Z' ? c + 32 : c;
}

unsigned towupper(unsigned c)
{
    return c >= 'a' && c <= 'z' ? c - 32 : c;
}

SIZE mbstowcs(WCHAR *to, const char *from, SIZE n)
{
    void __wedge_refuse(void);
    SIZE i = 0;
    while (!to || i < n) {
        char c = from[i];
        if (c & 128) __wedge_refuse();
        if (to) to[i] = c;
        if (!c) break;
        i++;
    }
    return i;
}

SIZE wcstombs(char *to, const WCHAR *from, SIZE n)
{
    void __wedge_refuse(void);
    SIZE i = 0;
    while (!to || i < n) {
        WCHAR c = from[i];
        if (c & ~127) __wedge_refuse();
        if (to) to[i] = (char)c;
        if (!c) break;
        i++;
    }
    return i;
}

int mblen(const char *s, SIZE n)
{
    void __wedge_refuse(void);
    if (!s) return 0;
    if (!n) return -1;
    if (*s & 128) __wedge_refuse();
    return *s != 0;
}

int mbtowc(WCHAR *to, const char *s, SIZE n)
{
    void __wedge_refuse(void);
    if (!s) return 0;
    if (!n) return -1;
    if (*s & 128) __wedge_refuse();
    if (to) *to = *s;
    return *s != 0;
}

int wctomb(char *to, WCHAR c)
{
    void __wedge_refuse(void);
    if (!to) return 0;
    if (c & ~127) __wedge_refuse();
    *to = (char)c;
    return 1;
}

unsigned btowc(int c)
{
    void __wedge_refuse(void);
    if (c >= 128 || c < -1) __wedge_refuse();
    return (unsigned)c;
}

int wctob(unsigned c)
{
    void __wedge_refuse(void);
    if (c >= 128 && c != ~0u) __wedge_refuse();
    return (int)c;
}
