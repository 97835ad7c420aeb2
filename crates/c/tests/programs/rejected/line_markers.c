//! list.h:40:10: `y` is not declared
# 1 "a.c"
int main(void) {
# 40 "list.h" 1
  return y;
}
