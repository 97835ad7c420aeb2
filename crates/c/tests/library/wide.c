#include <wchar.h>
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
    return 0;
}
