typedef unsigned long size_t;
void *malloc(size_t);
void *calloc(size_t, size_t);
void *realloc(void *, size_t);
void free(void *);

struct link { struct link *next, *prev; };
struct item { int key; struct link link; int *data[3]; };

struct link head = { &head, &head };
int pool[8];

void *allocate(size_t size) { return malloc(size); }

struct item *item_of(struct link *link) {
  return (struct item *)((char *)link - (size_t)&((struct item *)0)->link);
}

void insert(struct link *new) {
  new->next = head.next;
  new->prev = &head;
  head.next->prev = new;
  head.next = new;
}

struct tree { struct tree *left, *right; int key; };

struct tree *grow(struct tree *tree, int key) {
  if (!tree) {
    tree = calloc(1, sizeof *tree);
    tree->key = key;
  } else if (key < tree->key) {
    tree->left = grow(tree->left, key);
  } else {
    tree->right = grow(tree->right, key);
  }
  return tree;
}

int sum(struct tree *tree) {
  return tree ? sum(tree->left) + tree->key + sum(tree->right) : 0;
}

int main(void) {
  for (int i = 0; i < 5; i++) {
    struct item *item = allocate(sizeof *item);
    item->key = i;
    for (int j = 0; j < 3; j++) item->data[j] = &pool[i + j];
    insert(&item->link);
  }
  int total = 0;
  for (struct link *l = head.next; l != &head; l = l->next) {
    struct item *item = item_of(l);
    *item->data[item->key % 3] += item->key;
    total += *item->data[1];
  }
  struct tree *tree = 0;
  int keys[] = { 5, 2, 8, 1, 9, 3 };
  for (unsigned i = 0; i < sizeof keys / sizeof *keys; i++) tree = grow(tree, keys[i]);
  total += sum(tree);
  int **rows = malloc(2 * sizeof *rows);
  rows[0] = &pool[1];
  rows[1] = keys;
  rows = realloc(rows, 4 * sizeof *rows);
  rows[2] = rows[1] + 2;
  for (int i = 0; i < 3; i++) total += *rows[i];
  free(rows);
  return total == 0;
}
