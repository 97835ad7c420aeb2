//! 2:1: unsupported: `_Float16`
_Float16 half; int main(void) { return half == 1; }
