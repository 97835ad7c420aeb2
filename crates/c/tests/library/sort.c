#include <stdlib.h>
#include <string.h>
struct entry { int key; const char *name; };
static int calls;
static int ascending(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return x < y ? -1 : x > y;
}
static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct entry *)a)->name, ((const struct entry *)b)->name);
}
static void once(void) { calls++; }
int main(void)
{
    int numbers[5] = {4, 1, 5, 3, 2}, wanted = 4, missing = 6;
    struct entry entries[2] = {{1, "pear"}, {2, "fig"}};
    qsort(numbers, 5, sizeof numbers[0], ascending);
    CHECK(numbers[0] == 1 && numbers[1] == 2);
    CHECK(numbers[3] == 4 && numbers[4] == 5);
    CHECK(bsearch(&wanted, numbers, 5, sizeof numbers[0], ascending) == numbers + 3);
    CHECK(bsearch(&missing, numbers, 5, sizeof numbers[0], ascending) == 0);
    qsort(entries, 2, sizeof entries[0], by_name);
    CHECK(entries[0].key == 2);
    CHECK(entries[1].name[0] == 'p');
    return 0;
}
