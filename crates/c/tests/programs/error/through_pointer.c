//! at: 6:29
extern void reach_error(void);
struct operations { void (*start)(int); };
static int state;
static void first(int n) { state = n; }
static void second(int n) { reach_error(); }
static struct operations table[] = {{first}, {second}};
int main(void) {
  table[0].start(1);
  table[state].start(2);
  return 0;
}
