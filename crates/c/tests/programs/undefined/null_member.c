//! what: access through a null pointer
//! at: 4:42
struct s { int a[100], b; };
int main(void) { struct s *p = 0; return p->b; }
