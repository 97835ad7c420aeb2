/* Declarations here, definitions there. */
extern int counter, table[];
extern char *name;
int bump(int);
long scale();
int tentative;
int main(void) {
  if (bump(3) != 3 || counter != 4) return 1;
  if (table[2] != 30 || name[1] != 'e') return 2;
  tentative++;
  if (scale(5, 2.0f) != 10 || tentative != 2) return 3;
  return implicit(1, 2) - 3;
}
