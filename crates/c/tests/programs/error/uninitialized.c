//! others: 42
/* Uninitialised variables and unknown functions give arbitrary values. */
extern void reach_error(void);
extern int unknown(void);
int main(void) {
  int x, a[2];
  if (x == 42 && a[1] == 42 && unknown() == 42 && x == 42) reach_error();
  return 0;
}
