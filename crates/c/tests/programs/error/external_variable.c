//! others: 9
extern int configured;
extern void reach_error(void);
int main(void) {
  if (configured == 9) reach_error();
  return 0;
}
