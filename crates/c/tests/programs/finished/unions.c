/* Unions, anonymous members, views of bytes. */
union value {
  unsigned u;
  struct { unsigned char b0, b1, b2, b3; };
  struct { unsigned low : 12, high : 20; } bits;
  float f;
};
struct tagged {
  int kind;
  union { int number; char letters[6]; };
};

int main(void) {
  union value v = {0x12345678};
  if (v.b0 != 0x78 || v.b3 != 0x12 || v.bits.low != 0x678 || v.bits.high != 0x12345) return 1;
  v.b1 = 0xff;
  if (v.u != 0x1234ff78) return 2;
  v.f = 1.0f;
  if (v.u != 0x3f800000) return 3;
  v.bits.high++;
  if (v.u != 0x3f801000 || v.f <= 1.0f) return 4;
  struct tagged t = {1, .letters = "hi"}, copy = t;
  if (copy.number != 'h' + 'i' * 256 || sizeof t != 12) return 5;
  copy.letters[1] = 0;
  if (copy.number != 'h' || t.letters[1] != 'i') return 6;
  return 0;
}
