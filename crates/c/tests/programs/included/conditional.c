/* Conditional compilation, local headers, token pasting. */
#include "local.h"
#include "local.h"
#define PASTE(a, b) a##b
#define NAME(x) #x
#if defined(__LP64__)
typedef long word;
#else
typedef int word;
#endif
#ifdef NOT_DEFINED
This isn't C.
#endif

int main(void) {
  int PASTE(var, 1) = twice(LIMIT);
  if (sizeof(word) != sizeof(void *)) return 1;
  if (NAME(abc)[1] != 'b') return 2;
  return var1 - 10;
}
