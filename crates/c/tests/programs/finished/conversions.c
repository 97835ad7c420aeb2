/* Promotions, usual arithmetic conversions, and conversions that cut off or extend. */
int main(void) {
  signed char sc = -1;
  unsigned char uc = 200;
  short s = -32768;
  unsigned u = 1;
  long long ll = -1;
  if (sc >= u) {
  } else {
    return 1;
  }
  if (uc + 100 != 300) return 2;
  if ((unsigned char)(uc + 100) != 44) return 3;
  if ((char)200 != -56) return 4;
  if (-s != 32768) return 5;
  if ((short)-s != s) return 6;
  if (ll < u) {
  } else {
    return 7;
  }
  if ((unsigned)ll != 4294967295u) return 8;
  if (-1 > 0u) {
  } else {
    return 9;
  }
  if (~uc != -201) return 10;
  if (uc << 24 >= 0) return 11;
  if ((_Bool)0.5 != 1 || (_Bool)256 != 1) return 12;
  if (sizeof(sc + uc) != sizeof(int) || sizeof(1 ? 'a' : 2ll) != 8) return 13;
  if ((int)3000000000u >= 0) return 14;
  if (-7 / 2 != -3 || -7 % 2 != -1 || -7 >> 1 != -4) return 15;
  uc += 100;
  if (uc != 44) return 16;
  sc *= 200;
  if (sc != 56) return 17;
  u = -1;
  if (u / 2 != 2147483647) return 18;
  return 0;
}
