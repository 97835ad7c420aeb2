//! 2:25: unsupported: `__builtin_apply_args`
int main(void) { return __builtin_apply_args() != 0; }
