/* Each file has its own. */
static int hidden = 1;
static int get(void) { return hidden; }
int other(void);
inline int common(void) { return 7; }
int main(void) { return get() * 10 + other() - 12 + common() - 7; }
