typedef unsigned long size_t;
void *memcpy(void *, const void *, size_t);
void *memmove(void *, const void *, size_t);
void *memset(void *, int, size_t);
void *malloc(size_t);

struct inner { int *cells[4]; short tag; };
struct outer { char name[3]; struct inner parts[2]; int *last; };

int a, b, c[10];
struct outer global = { "x", { { { &a, &b }, 1 }, { { c, c + 1, c + 9 }, 2 } }, &a };

void copy(char *to, const char *from, int count) {
  for (int i = 0; i < count; i++) to[i] = from[i];
}

struct outer make(int *p) {
  struct outer result = global;
  result.parts[1].cells[3] = p;
  return result;
}

int visit(struct outer o) {
  int total = *o.last;
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 4; j++)
      if (o.parts[i].cells[j]) total += ++*o.parts[i].cells[j];
  return total;
}

union cell { int *p; unsigned char bytes[sizeof(int *)]; };

int main(void) {
  int local = 3;
  struct outer one = make(&local), two, three[2];
  memcpy(&two, &one, sizeof one);
  copy((char *)&three[1], (char *)&two, sizeof two);
  three[0] = three[1];
  char *raw = malloc(sizeof one);
  memmove(raw, &three[0], sizeof one);
  struct outer *heap = (struct outer *)raw;
  int total = visit(one) + visit(two) + visit(three[0]) + visit(*heap);
  total += ++*heap->parts[1].cells[3];
  int *words[6];
  memset(words, 0, sizeof words);
  memcpy(words + 1, global.parts[0].cells, 2 * sizeof *words);
  total += ++*words[2];
  int **generic = malloc(sizeof words);
  memcpy(generic, words, sizeof words);
  total += ++*generic[1];
  union cell x, y;
  x.p = &local;
  for (unsigned i = 0; i < sizeof x; i++) y.bytes[i] = x.bytes[i];
  total += ++*y.p;
  return total == 0;
}
