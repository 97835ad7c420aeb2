//! at: 2:18
int main(void) { abort(); return 0; }
