//! what: access outside an object
//! at: 4:35
void *memcpy(void *, const void *, unsigned long);
int main(void) { char a[4], b[8]; memcpy(a, b, 8); return 0; }
