/* Static locals, tentative definitions, shadowing, enumerations. */
int tentative, tentative;
extern int tentative;
static int internal = 5;
static int internal;
extern int array[];
int array[3] = {1, 2, 3};
enum mode { OFF, SLOW = 5, FAST, BACK = -2, NEXT };
enum big { HUGE = 5000000000 };

static int counter(void) {
  static int count = 3;
  static int *self = &count;
  return (*self)++;
}

int x = 1;

int main(void) {
  counter();
  counter();
  if (counter() != 5) return 1;
  if (tentative || internal != 5 || array[2] != 3 || sizeof array != 12) return 2;
  if (FAST != 6 || NEXT != -1 || sizeof(enum mode) != 4 || sizeof(HUGE) != 8) return 3;
  enum mode m = BACK;
  if (m >= 0) return 4;
  int x = x = 2;
  {
    int x = 3;
    {
      extern int x;
      if (x != 1) return 5;
    }
    if (x != 3) return 6;
  }
  if (x != 2) return 7;
  for (int x = 0; x < 1; x++) {
    int x = 9;
    if (x != 9) return 8;
  }
  typedef int mode;
  mode fine = 4;
  enum { OFF = 7 };
  return fine + OFF - 11;
}
