/* Pointer arithmetic, comparison, casts through integers and bytes, lists. */
void *malloc(unsigned long);
void free(void *);
struct node { int value; struct node *next; };
typedef unsigned long word;

static struct node *reverse(struct node *list) {
  struct node *result = 0;
  while (list) {
    struct node *next = list->next;
    list->next = result;
    result = list;
    list = next;
  }
  return result;
}

int main(void) {
  int a[5] = {1, 2, 3, 4, 5}, *p = a, **pp = &p;
  *p++ += 10;
  if (a[0] != 11 || *p != 2 || *++p != 3 || p - a != 2 || *p-- != 3 || **pp != 2) return 1;
  (*pp)++;
  if (p[-1] != 2 || p > a + 4 || !(p < &a[3]) || p != &a[2]) return 2;
  word number = (word)p;
  int *again = (int *)number;
  *again = 30;
  if (a[2] != 30) return 3;
  number = (word)&a[1] & ~(word)3;
  if (*(int *)number != 2) return 4;
  unsigned char *bytes = (unsigned char *)a;
  if (bytes[4] != 2 || *(short *)(bytes + 8) != 30) return 5;
  int *copy;
  for (unsigned i = 0; i < sizeof copy; i++) ((char *)&copy)[i] = ((char *)&p)[i];
  *copy = 31;
  if (a[2] != 31) return 6;
  struct node *list = 0;
  for (int i = 0; i < 4; i++) {
    struct node *n = malloc(sizeof(struct node));
    n->value = i;
    n->next = list;
    list = n;
  }
  list = reverse(list);
  int sum = 0;
  for (struct node *n = list; n; n = n->next) sum = sum * 10 + n->value;
  if (sum != 123) return 7;
  while (list) {
    struct node *next = list->next;
    free(list);
    list = next;
  }
  void *v = a;
  if (((int *)v)[3] != 4 || (char *)(v + 4) - (char *)v != 4) return 8;
  const char *s = "abc";
  return *(s + 3) + ("xyz"[1] != 'y');
}
