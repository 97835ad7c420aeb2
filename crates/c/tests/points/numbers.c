typedef unsigned long word;

struct flagged { int value; struct flagged *next; };
struct flagged nodes[3];
struct packet { int length; int data[1]; };
int store[6];

word pack(struct flagged *p, int flag) { return (word)p | flag; }
struct flagged *unpack(word w) { return (struct flagged *)(w & ~(word)3); }

int main(void) {
  word chain[3];
  for (int i = 0; i < 3; i++) {
    chain[i] = pack(&nodes[i], i & 1);
    unpack(chain[i])->value = i;
  }
  int total = 0;
  for (int i = 0; i < 3; i++) total += unpack(chain[i])->value;
  struct packet *packet = (struct packet *)store;
  for (int i = 0; i < 5; i++) packet->data[i] = i;
  packet->length = 5;
  int *last = store + 6;
  while (last-- != store) total += *last;
  int *before = store - 2;
  total += before[3];
  word hidden = (word)&store[1] ^ (word)&nodes[0];
  total += *(int *)(hidden ^ (word)&nodes[0]);
  word number = (word)store;
  number += 2 * sizeof(int);
  total += *(int *)number;
  return total == 0;
}
