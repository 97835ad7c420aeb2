//! model: LP64
/* 128-bit integers. */
typedef unsigned __int128 wide;

int main(void) {
  wide a = (wide)1 << 100, b = ((wide)0xffffffffffffffffull << 64) | 5;
  __int128 s = -1;
  if (a >> 99 != 2 || (unsigned long)(b >> 64) != ~0ul || (unsigned)b != 5) return 1;
  if (s / 3 != 0 || (s << 70) >> 70 != -1 || (wide)s < b) return 2;
  if ((b * b) % 1000 != 25 + 0 * 3 && b * b == 0) return 3;
  if (sizeof(a) != 16 || (double)a != 0x1p100 || (__int128)-2.5 != -2) return 4;
  return (int)(a / 7 % 11) - (int)((a / 7) % 11);
}
