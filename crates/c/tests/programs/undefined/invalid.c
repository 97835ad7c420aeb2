//! what: access through an invalid pointer
//! at: 3:25
int main(void) { return *(int *)0x12345678; }
