/* Functions of <math.h> that store a second result or are put together from others, for every
   floating type: REAL stands for the type, _R for the suffix of its functions. */

REAL modf_R(REAL x, REAL *whole)
{
    REAL trunc_R(REAL), copysign_R(REAL, REAL);
    REAL integral = trunc_R(x);
    *whole = integral;
    if (x != x) return x;
    return copysign_R(x - x != 0 ? 0 : x - integral, x);
}

REAL frexp_R(REAL x, int *exponent)
{
    int ilogb_R(REAL);
    REAL scalbn_R(REAL, int);
    int e = x == 0 || x - x != 0 ? 0 : ilogb_R(x) + 1;
    *exponent = e;
    return e ? scalbn_R(x, -e) : x;
}

REAL scalbln_R(REAL x, long n)
{
    REAL scalbn_R(REAL, int);
    return scalbn_R(x, n > 100000 ? 100000 : n < -100000 ? -100000 : (int)n);
}

REAL logb_R(REAL x)
{
    int ilogb_R(REAL);
    void __wedge_math_fail(void);
    if (x == 0) { __wedge_math_fail(); return -__builtin_huge_val(); }
    if (x - x != 0) return x * x;
    return ilogb_R(x);
}

void sincos_R(REAL x, REAL *sine, REAL *cosine)
{
    REAL sin_R(REAL), cos_R(REAL);
    *sine = sin_R(x);
    *cosine = cos_R(x);
}

REAL remquo_R(REAL x, REAL y, int *quotient)
{
    REAL remainder_R(REAL, REAL), fmod_R(REAL, REAL), fabs_R(REAL);
    int signbit_R(REAL), __wedge_any_int(void), chosen = __wedge_any_int(), low = 0;
    void __wedge_assume(int);
    REAL result = remainder_R(x, y), size = fabs_R(y), rest;
    if (result == result) {
        rest = fmod_R(fabs_R(x), 8 * size);
        if (rest >= 4 * size) { rest -= 4 * size; low += 4; }
        if (rest >= 2 * size) { rest -= 2 * size; low += 2; }
        if (rest >= size) { rest -= size; low += 1; }
        if (rest > size - rest || rest == size - rest && (low & 1)) low += 1;
        if (!signbit_R(x) != !signbit_R(y)) __wedge_assume(chosen <= 0 && ((-(long long)chosen ^ low) & 7) == 0);
        else __wedge_assume(chosen >= 0 && ((chosen ^ low) & 7) == 0);
    }
    *quotient = chosen;
    return result;
}
