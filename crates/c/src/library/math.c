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
    if (x == 0) return -__builtin_huge_val();
    if (x - x != 0) return x * x;
    return ilogb_R(x);
}

void sincos_R(REAL x, REAL *sine, REAL *cosine)
{
    REAL sin_R(REAL), cos_R(REAL);
    *sine = sin_R(x);
    *cosine = cos_R(x);
}
