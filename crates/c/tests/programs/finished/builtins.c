/* gcc's builtin functions. */
int main(void) {
  int r;
  unsigned char small;
  volatile int seven = 7;
  if (__builtin_expect(seven == 7, 1) != 1) return 1;
  if (__builtin_popcount(seven) != 3 || __builtin_clz(1) != 31 || __builtin_ctzll(1ull << 40) != 40) return 2;
  if (__builtin_ffs(0) || __builtin_ffs(8) != 4 || __builtin_parity(seven) != 1) return 3;
  if (__builtin_bswap32(0x11223344) != 0x44332211 || __builtin_bswap16(0x1234) != 0x3412) return 4;
  if (!__builtin_add_overflow(2147483647, seven, &r) || r >= 0) return 5;
  if (__builtin_mul_overflow(seven, 3, &r) || r != 21 || !__builtin_sub_overflow(3, 4u, &small)) return 6;
  if (small != 255 || __builtin_smull_overflow(seven, 2, (long *)&(long){0})) return 7;
  if (!__builtin_constant_p(3 * 4) || __builtin_constant_p(seven)) return 8;
  if (!__builtin_types_compatible_p(int, signed) || __builtin_types_compatible_p(int, long)) return 9;
  if (__builtin_choose_expr(1, 5, "no") != 5 || __builtin_offsetof(struct { char a; int b[4]; }, b[2]) != 12) return 10;
  int counter = 5;
  if (__sync_fetch_and_add(&counter, 3) != 5 || __sync_sub_and_fetch(&counter, 1) != 7) return 11;
  if (!__sync_bool_compare_and_swap(&counter, 7, 9) || counter != 9) return 12;
  if (__atomic_exchange_n(&counter, 2, 5) != 9 || __atomic_load_n(&counter, 5) != 2) return 13;
  if (__builtin_object_size(&r, 0) == 0 || __builtin_memcmp("ab", "ab", 2)) return 14;
  if (_Generic(seven, int: 0, default: 1) || _Generic(1ul, long: 1, unsigned long: 0)) return 15;
  if (__builtin_fpclassify(0, 1, 4, 3, 2, 1e-310) != 3 || !__builtin_signbit(-0.0)) return 16;
  __builtin_prefetch(&r);
  if (__builtin_isunordered(0.0 / 0.0, 1) == 0 || __builtin_islessgreater(1.0, 2) != 1) return 17;
  return __builtin_strlen("four") - 4;
}
