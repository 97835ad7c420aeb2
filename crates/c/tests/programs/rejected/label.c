//! 2:18: label `nowhere` is used but not defined
int main(void) { goto nowhere; }
