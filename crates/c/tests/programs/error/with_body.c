//! at: 9:3
/* The call is the violation, whatever the function does. */
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int ok) {
  if (ok) {
    return;
  }
  reach_error();
}
int main(void) {
  for (int i = 0; i < 10; i++) check(i != 9);
  return 0;
}
