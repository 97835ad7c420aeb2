//! what: access through a null pointer
//! at: 3:37
int main(void) { int *p = 0; return *p; }
