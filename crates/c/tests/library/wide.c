#include <wchar.h>
#include <wctype.h>
#include <stdlib.h>
int main(void)
{
    wchar_t text[8] = L"ab", more[4];
    CHECK(wcslen(text) == 2);
    CHECK(wcsnlen(text, 1) == 1);
    CHECK(wcscat(text, L"cd") == text);
    CHECK(wcscmp(text, L"abcd") == 0);
    CHECK(wcscmp(text, L"abce") < 0);
    CHECK(wcsncmp(text, L"abx", 2) == 0);
    CHECK(wcschr(text, L'c') == text + 2);
    CHECK(wcsrchr(text, L'z') == 0);
    CHECK(wcsncpy(more, text, 2)[1] == L'b');
    CHECK(wmemset(more, L'q', 4)[3] == L'q');
    CHECK(wmemcmp(text, L"abzz", 2) == 0);
    CHECK(wcscpy(text, L"z")[0] == L'z' && text[1] == 0);
    char bytes[4] = "pqr";
    CHECK(mbstowcs(text, "xyz", 8) == 3 && text[2] == L'z' && text[3] == 0);
    CHECK(mbstowcs(text, "abc", 2) == 2 && text[1] == L'b' && text[2] == L'z');
    CHECK(mbstowcs(0, "abcd", 0) == 4);
    CHECK(wcstombs(bytes, L"ab", 4) == 2 && bytes[1] == 'b' && bytes[2] == 0);
    CHECK(wcstombs(bytes, L"xyz", 1) == 1 && bytes[0] == 'x' && bytes[1] == 'b');
    CHECK(mblen("a", 1) == 1 && mblen("", 1) == 0 && mblen(0, 1) == 0);
    CHECK(mbtowc(text, "k", 1) == 1 && text[0] == L'k');
    CHECK(wctomb(bytes, L'm') == 1 && bytes[0] == 'm');
    CHECK(btowc('a') == L'a' && btowc(-1) == WEOF && wctob(L'b') == 'b' && wctob(WEOF) == -1);
    CHECK(towupper(L'a') == L'A' && towlower(L'Z') == L'z' && towupper(L'1') == L'1');
    CHECK(iswalnum(L'1') && iswalpha(L'q') && iswblank(L'\t') && iswcntrl(L'\n') && iswdigit(L'7'));
    CHECK(iswgraph(L'!') && iswlower(L'q') && iswprint(L' ') && iswpunct(L'?') && iswspace(L' '));
    CHECK(iswupper(L'Q') && iswxdigit(L'f') && !iswalpha(L'1') && !iswdigit(0x660) && !iswspace(WEOF));
    return 0;
}
