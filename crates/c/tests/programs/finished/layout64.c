//! model: LP64
/* Sizes and alignments of the 64-bit model. */
struct mixed { char c; long long l; double d; long double x; };
struct bits { int a : 20; int b : 20; long c : 50; char d : 3; };
struct nested { struct { char c; short s[3]; } a[2]; char end; };
#pragma pack(2)
struct two { char c; int i; struct nested n; long l : 9; };
#pragma pack()
union mix { char c[5]; int i; };

int main(void) {
  if (sizeof(struct mixed) != 48 || __builtin_offsetof(struct mixed, x) != 32) return 1;
  if (sizeof(struct bits) != 16) return 2;
  if (sizeof(struct nested) != 18 || sizeof(union mix) != 8 || sizeof(struct two) != 26) return 3;
  if (sizeof 3000000000 != 8 || 0xffffffff < 0 || sizeof(L'a') != 4) return 4;
  if (-1L > 0u == 1) return 5;
  return sizeof(__builtin_va_list) - 24;
}
