/* A filter for sensor readings: they are sorted, the median is taken, and readings are looked up.
 *
 * With SORTING_ERROR the search for the smallest reading goes one element too far.
 */
#include <assert.h>

#define COUNT 5
#define LIMIT 20

typedef unsigned char reading;

extern unsigned char __VERIFIER_nondet_uchar(void);

struct readings {
    reading values[COUNT];
    reading sorted[COUNT];
};

static void swap(reading *a, reading *b)
{
    reading old = *a;
    *a = *b;
    *b = old;
}

/* The index of the smallest of the readings from `first` on. */
static int smallest(const reading *values, int first)
{
    int found = first;
    int i;
#ifdef SORTING_ERROR
    for (i = first + 1; i <= COUNT; i++)
#else
    for (i = first + 1; i < COUNT; i++)
#endif
        if (values[i] < values[found])
            found = i;
    return found;
}

static void selection_sort(reading *values)
{
    int i;
    for (i = 0; i + 1 < COUNT; i++)
        swap(&values[i], &values[smallest(values, i)]);
}

static int is_sorted(const reading *values)
{
    int sorted = 1;
    int i;
    for (i = 1; i < COUNT; i++)
        sorted &= values[i - 1] <= values[i];
    return sorted;
}

/* The first index in sorted readings with at least the wanted one, or COUNT. */
static int find(const reading *values, reading wanted)
{
    int low = 0;
    int high = COUNT;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (values[middle] < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void read_all(struct readings *readings)
{
    int i;
    for (i = 0; i < COUNT; i++) {
        readings->values[i] = __VERIFIER_nondet_uchar();
        readings->sorted[i] = readings->values[i];
    }
}

static reading median(const struct readings *readings)
{
    return readings->sorted[COUNT / 2];
}

/* Whether a reading is too far from the median to be believed. */
static int is_outlier(const struct readings *readings, reading value)
{
    int distance = value - median(readings);
    return distance < -LIMIT || distance > LIMIT;
}

int main(void)
{
    struct readings readings;
    int place;
    read_all(&readings);
    selection_sort(readings.sorted);
    assert(is_sorted(readings.sorted));
    assert(median(&readings) >= readings.sorted[0]);
    assert(median(&readings) <= readings.sorted[COUNT - 1]);
    place = find(readings.sorted, readings.values[0]);
    assert(place < COUNT);
    assert(readings.sorted[place] == readings.values[0]);
    assert(!is_outlier(&readings, median(&readings)));
    return 0;
}
