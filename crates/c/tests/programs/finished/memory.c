/* Allocation and the functions on memory and strings. */
typedef __SIZE_TYPE__ size_t;
void *malloc(size_t), *calloc(size_t, size_t), *realloc(void *, size_t);
void free(void *);
void *memcpy(void *, const void *, size_t), *memmove(void *, const void *, size_t);
void *memset(void *, int, size_t), *memchr(const void *, int, size_t);
int memcmp(const void *, const void *, size_t);
size_t strlen(const char *), strspn(const char *, const char *), strcspn(const char *, const char *);
char *strcpy(char *, const char *), *strncpy(char *, const char *, size_t);
char *strcat(char *, const char *), *strncat(char *, const char *, size_t);
int strcmp(const char *, const char *), strncmp(const char *, const char *, size_t);
char *strchr(const char *, int), *strrchr(const char *, int), *strstr(const char *, const char *);
char *strdup(const char *), *strpbrk(const char *, const char *);

int main(void) {
  int *a = malloc(3 * sizeof(int)), *z = calloc(4, sizeof(int));
  for (int i = 0; i < 3; i++) a[i] = i + 1;
  if (z[0] || z[3]) return 1;
  a = realloc(a, 5 * sizeof(int));
  if (a[2] != 3) return 2;
  memcpy(z + 1, a, 3 * sizeof(int));
  memmove(a + 1, a, 2 * sizeof(int));
  if (z[3] != 3 || a[1] != 1 || a[2] != 2) return 3;
  if (memcmp(z + 1, z + 1, 12) || memcmp("abd", "abc", 3) <= 0) return 4;
  memset(a, -1, sizeof(int));
  if (a[0] != -1 || memchr("hello", 'l', 5) == 0 || memchr("hello", 'z', 5)) return 5;
  free(a);
  free(z);
  free(0);
  char s[20] = "wedge", t[8];
  if (strlen(s) != 5 || strcmp(strcat(s, "-c"), "wedge-c") || strcmp("a", "b") >= 0) return 6;
  if (strncmp("abcx", "abcy", 3) || strcmp(strcpy(t, "tail"), "tail")) return 7;
  strncpy(t, "xy", 5);
  if (t[1] != 'y' || t[2] || t[4]) return 8;
  strncat(s, "12345", 2);
  if (strcmp(s, "wedge-c12") || strchr(s, 'd') != s + 2 || strrchr(s, 'e') != s + 4) return 9;
  if (strstr(s, "ge-") != s + 3 || strstr(s, "zz") || strspn(s, "edw") != 3) return 10;
  if (strcspn(s, "-") != 5 || strpbrk(s, "21") != s + 7 || strchr(s, 0) != s + 9) return 11;
  char *d = strdup(s);
  d[0] = 'h';
  if (s[0] != 'w' || strlen(d) != 9) return 12;
  free(d);
  char *stack = __builtin_alloca(10);
  stack[9] = 4;
  return stack[9] - 4;
}
