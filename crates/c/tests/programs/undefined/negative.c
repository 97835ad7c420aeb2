//! what: access outside an object
//! at: 5:3
int main(void) {
  int a[4], *p = a;
  *--p = 1;
  return 0;
}
