//! model: ILP32
/* Sizes and alignments of the 32-bit model. */
struct mixed { char c; long long l; double d; long double x; };
struct bits { int a : 20; int b : 20; long long c : 30; };

int main(void) {
  if (sizeof(long) != 4 || sizeof(void *) != 4 || sizeof(long double) != 12) return 1;
  if (sizeof(struct mixed) != 32 || __builtin_offsetof(struct mixed, l) != 4) return 2;
  if (sizeof(struct bits) != 12 || _Alignof(struct mixed) != 4) return 3;
  if (sizeof(sizeof(int)) != 4 || sizeof 3000000000 != 8 || 0xffffffff < 0) return 4;
  if (sizeof(L'a') != 4 || -1L > 0u) {
  } else {
    return 5;
  }
  unsigned long u = 0xffffffffUL + 1;
  return u;
}
