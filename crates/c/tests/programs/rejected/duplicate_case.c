//! 2:39: the same value twice in one `switch`
int main(void) { switch (1) { case 1: case 0 ... 3: return 0; } return 1; }
