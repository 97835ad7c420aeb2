/* Insertion sort and heap sort of short arrays of sensor readings, and a binary search.
 *
 * With SORTING_ERROR the sift of the heap does not ask whether there is a right child.
 */
#include <assert.h>

#define MOST 3

extern int __VERIFIER_nondet_int(void);

struct readings {
    int values[MOST];
    int count;
};

static void swap(int *a, int *b)
{
    int old = *a;
    *a = *b;
    *b = old;
}

static void insertion_sort(int *values, int count)
{
    int i, j;
    for (i = 1; i < count; i++) {
        int value = values[i];
        for (j = i; j > 0 && values[j - 1] > value; j--)
            values[j] = values[j - 1];
        values[j] = value;
    }
}

static void sift_down(int *values, int root, int count)
{
    for (;;) {
        int child = 2 * root + 1;
        if (child >= count)
            return;
#ifdef SORTING_ERROR
        if (values[child + 1] > values[child])
            child++;
#else
        if (child + 1 < count && values[child + 1] > values[child])
            child++;
#endif
        if (values[root] >= values[child])
            return;
        swap(&values[root], &values[child]);
        root = child;
    }
}

static void heap_sort(int *values, int count)
{
    int i;
    for (i = count / 2 - 1; i >= 0; i--)
        sift_down(values, i, count);
    for (i = count - 1; i > 0; i--) {
        swap(&values[0], &values[i]);
        sift_down(values, 0, i);
    }
}

static int is_sorted(const int *values, int count)
{
    int i;
    for (i = 1; i < count; i++)
        if (values[i - 1] > values[i])
            return 0;
    return 1;
}

static int find(const int *values, int count, int wanted)
{
    int low = 0;
    int high = count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (values[middle] == wanted)
            return middle;
        if (values[middle] < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    return -1;
}

static int read_all(struct readings *readings)
{
    int i;
    int count = __VERIFIER_nondet_int();
    if (count < 1 || count > MOST)
        return 0;
    readings->count = count;
    for (i = 0; i < count; i++)
        readings->values[i] = __VERIFIER_nondet_int();
    return 1;
}

int main(void)
{
    struct readings first, second;
    int i, place;
    if (!read_all(&first))
        return 0;
    second.count = first.count;
    for (i = 0; i < first.count; i++)
        second.values[i] = first.values[i];
    insertion_sort(first.values, first.count);
    heap_sort(second.values, second.count);
    assert(is_sorted(first.values, first.count));
    assert(is_sorted(second.values, second.count));
    place = find(first.values, first.count, second.values[0]);
    assert(place >= 0 && place < first.count);
    assert(first.values[place] == second.values[0]);
    return 0;
}
