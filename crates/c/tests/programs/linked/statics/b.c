static int hidden = 2;
static int get(void) { return hidden; }
inline int common(void) { return 7; }
int other(void) { return get(); }
