//! what: access outside an object
//! at: 3:55
int main(void) { int a[4] = {0}, i = 4; return a[0] + a[i]; }
