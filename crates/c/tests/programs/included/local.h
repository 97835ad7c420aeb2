#ifndef LOCAL_H
#define LOCAL_H
/* Included twice, defined once. */
enum { LIMIT = 5 };
static inline int twice(int x) { return 2 * x; }
#endif
