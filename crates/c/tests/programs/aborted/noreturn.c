//! at: 4:18
extern void stop(void) __attribute__((noreturn));
extern void reach_error(void);
int main(void) { stop(); reach_error(); return 0; }
