typedef unsigned long size_t;
char *strchr(const char *, int);
char *strcpy(char *, const char *);
char *stpcpy(char *, const char *);
char *strcat(char *, const char *);
char *strdup(const char *);
char *strstr(const char *, const char *);
void *memchr(const void *, int, size_t);
size_t strlen(const char *);

struct person { char name[12]; char *nick; int age; };
struct person people[2] = { { "ann", "a", 3 }, { "bob" } };

int main(void) {
  char buffer[20];
  char *end = stpcpy(buffer, "one two");
  *end++ = '!';
  *end = 0;
  char *found = strchr(buffer, 't');
  *found = 'T';
  char *copy = strdup(buffer);
  copy[1] = 'N';
  people[1].nick = strcat(strcpy(people[1].name, "rob"), "ert");
  people[1].nick[1]++;
  *strstr(copy, "Tw") = 't';
  *(char *)memchr(copy, 'w', 8) = 'W';
  char *bytes = (char *)&people[0];
  int total = 0;
  for (size_t i = 0; i < sizeof people[0]; i++) total += bytes[i];
  const char *words[] = { "x", people[0].name, copy };
  for (int i = 0; i < 3; i++)
    for (const char *p = words[i]; *p; p++) total += *p;
  return total == 0;
}
