/* Fixed-point numbers with 8 fractional bits, and a filter that uses them.
 *
 * Products are computed in 64 bits and saturate. With FIXED_ERROR they are computed in 32 bits,
 * which overflows.
 */
#include <assert.h>
#include <stdint.h>

#define FRACTION 8
#define ONE (1 << FRACTION)
#define LARGEST INT32_C(0x7fffffff)
#define SMALLEST (-LARGEST - 1)

extern int __VERIFIER_nondet_int(void);

typedef int32_t fixed;

struct filter {
    fixed state;
    fixed gain;
};

static fixed saturate(int64_t value)
{
    if (value > LARGEST)
        return LARGEST;
    if (value < SMALLEST)
        return SMALLEST;
    return (fixed)value;
}

static fixed from_int(int value)
{
    return saturate((int64_t)value * ONE);
}

static int to_int(fixed value)
{
    return value / ONE;
}

static fixed add(fixed a, fixed b)
{
    return saturate((int64_t)a + b);
}

static fixed subtract(fixed a, fixed b)
{
    return saturate((int64_t)a - b);
}

static fixed multiply(fixed a, fixed b)
{
#ifdef FIXED_ERROR
    return a * b / ONE;
#else
    return saturate((int64_t)a * b / ONE);
#endif
}

static int divide(fixed a, fixed b, fixed *result)
{
    if (b == 0)
        return 0;
    *result = saturate((int64_t)a * ONE / b);
    return 1;
}

static fixed absolute(fixed value)
{
    if (value == SMALLEST)
        return LARGEST;
    return value < 0 ? -value : value;
}

static fixed clamp(fixed value, fixed low, fixed high)
{
    if (value < low)
        return low;
    if (value > high)
        return high;
    return value;
}

/* state += gain * (input - state), with a gain between 0 and 1 */
static fixed filter_step(struct filter *filter, fixed input)
{
    fixed difference = subtract(input, filter->state);
    fixed change = multiply(filter->gain, difference);
    filter->state = add(filter->state, change);
    return filter->state;
}

int main(void)
{
    struct filter filter;
    fixed ratio;
    filter.state = 0;
    filter.gain = clamp(__VERIFIER_nondet_int(), 0, ONE);
    while (__VERIFIER_nondet_int()) {
        fixed input = from_int(__VERIFIER_nondet_int());
        fixed output = filter_step(&filter, input);
        assert(to_int(output) <= LARGEST / ONE);
        assert(absolute(output) >= 0);
        if (divide(output, filter.gain, &ratio))
            assert(filter.gain != 0);
    }
    return 0;
}
