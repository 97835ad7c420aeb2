/* Floating-point arithmetic, conversions and classification. */
double sqrt(double), floor(double), fabs(double), fmod(double, double), round(double);
float ceilf(float);

int main(void) {
  float f = 16777216.0f;
  double d = 0.1;
  volatile double zero = 0;
  if (f + 1.0f != f || f + 1.0 == f) return 1;
  if (d + 0.2 == 0.3 || (float)d + 0.2f != 0.3f + 0.0f) return 2;
  if ((int)-2.9 != -2 || (unsigned char)200.7 != 200 || (long long)1e15 != 1000000000000000ll) return 3;
  if (1 / 3 * 3.0 != 0 || 1 / 3.0 * 3 != 1) return 4;
  double infinity = 1 / zero, nan = zero / zero;
  if (infinity <= 1e308 || -infinity >= -1e308 || nan == nan || nan < 1 || nan > 1) return 5;
  if (!__builtin_isnan(nan) || __builtin_isinf_sign(-infinity) != -1 || __builtin_isfinite(nan)) return 6;
  if (!(0.0 == -0.0) || 1 / -zero != -infinity) return 7;
  if (sqrt(2.25) != 1.5 || floor(-1.5) != -2 || fabs(-3) != 3 || fmod(7.5, 2) != 1.5) return 8;
  if (ceilf(1.25f) != 2 || round(2.5) != 3 || round(-2.5) != -3) return 9;
  if (0x1.8p1 != 3 || 1e-3f == 1e-3 || sizeof 1.0f != 4 || sizeof 1.0L < 10) return 10;
  long double l = 1;
  for (int i = 0; i < 63; i++) l /= 2;
  if (1 + l == 1 || 1.0 + (double)l != 1.0 || 1 + l / 4 != 1) return 11;
  if (!nan || !(_Bool)d || (f ? 0 : 1)) return 12;
  f = 3;
  f /= 2;
  f++;
  int i = 5;
  i *= 1.5;
  i -= 0.75;
  return f == 2.5 && i == 6 ? 0 : 13;
}
