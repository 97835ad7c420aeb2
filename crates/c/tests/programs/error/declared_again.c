//! others: 1
/* A variable of a block is arbitrary each time the block is entered. */
extern void reach_error(void);
int main(void) {
  for (int i = 0; i < 2; i++) {
    int x;
    if (i == 1 && x == 1) reach_error();
    x = 5;
  }
  return 0;
}
