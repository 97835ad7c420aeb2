/* Sorting and searching, with calls of the program's own comparison. SIZE is `size_t`. */

void qsort(void *base, SIZE count, SIZE size, int (*compare)(const void *, const void *))
{
    unsigned char __wedge_any_order(void);
    unsigned char *bytes = base, byte;
    SIZE i, j, k;
    for (i = 1; i < count; i++)
        for (j = i; j > 0; j--) {
            unsigned char *left = bytes + (j - 1) * size, *right = bytes + j * size;
            int order = compare(left, right), differ = 0;
            if (order < 0) break;
            if (order == 0) {
                /* Which of two equal elements comes first is left open. */
                for (k = 0; k < size; k++) if (left[k] != right[k]) differ = 1;
                if (!differ || !(__wedge_any_order() & 1)) break;
            }
            for (k = 0; k < size; k++) { byte = left[k]; left[k] = right[k]; right[k] = byte; }
        }
}

void *bsearch(const void *key, const void *base, SIZE count, SIZE size, int (*compare)(const void *, const void *))
{
    SIZE low = 0, high = count;
    while (low < high) {
        SIZE middle = low + (high - low) / 2;
        const char *element = (const char *)base + middle * size;
        int order = compare(key, element);
        if (order == 0) return (void *)element;
        if (order < 0) high = middle;
        else low = middle + 1;
    }
    return 0;
}

void *lfind(const void *key, const void *base, SIZE *count, SIZE size, int (*compare)(const void *, const void *))
{
    SIZE i;
    for (i = 0; i < *count; i++)
        if (compare(key, (const char *)base + i * size) == 0) return (void *)((const char *)base + i * size);
    return 0;
}
