//! model: LP64
double sin(double), cos(double), exp(double), log(double), pow(double, double), hypot(double, double);
double atan2(double, double), log2(double), tanh(double);
float sinf(float), powf(float, float);

static int is_nan(double x) { return x != x; }

int main(void)
{
    double inf = __builtin_inf(), nan = inf - inf, two = 2, half = 0.5;
    if (sin(0.0) != 0 || 1 / sin(-0.0) != -inf || !is_nan(sin(inf))) return 1;
    if (cos(0.0) != 1 || exp(-inf) != 0 || exp(inf) != inf) return 2;
    if (log(0.0) != -inf || !is_nan(log(-1.0)) || log(1.0) != 0) return 3;
    if (pow(nan, 0.0) != 1 || pow(1.0, nan) != 1 || pow(-1.0, inf) != 1) return 4;
    if (1 / pow(-0.0, 3.0) != -inf || 1 / pow(-0.0, 4.0) != inf || pow(0.0, -1.0) != inf) return 5;
    if (!is_nan(pow(-two, half)) || pow(-two, 3.0) != -8 || pow(two, 10.0) != 1024) return 6;
    if (hypot(inf, nan) != inf || !is_nan(hypot(1.0, nan)) || hypot(3.0, 4.0) != 5) return 7;
    if (atan2(0.0, -1.0) < 3.14 || atan2(-0.0, -1.0) > -3.14 || atan2(0.0, 1.0) != 0) return 8;
    if (log2(8.0) != 3 || tanh(inf) != 1 || tanh(-inf) != -1) return 9;
    if (sinf(0.0f) != 0 || powf(2.0f, 3.0f) != 8) return 10;
    if (sin(half) < 0.479 || sin(half) > 0.480 || exp(1.0) < 2.718 || exp(1.0) > 2.719) return 11;
    return 0;
}
