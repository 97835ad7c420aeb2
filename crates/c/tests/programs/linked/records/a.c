/* The same record in two files. */
struct item { int key; struct item *next; char tag[3]; };
extern struct item first;
struct item make(int key);
int sum(struct item *list);
struct opaque;
extern struct opaque *handle;
int peek(struct opaque *);
int main(void) {
  struct item second = make(4);
  second.next = &first;
  if (sum(&second) != 5 || second.tag[1] != 'b') return 1;
  first = second;
  return first.key - 4 + peek(handle) - 9;
}
