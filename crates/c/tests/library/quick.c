#include <signal.h>
#include <stdlib.h>
int step;
static void quickly(void) { CHECK(step == 1); }
static void caught(int number) { CHECK(number == SIGABRT); at_quick_exit(quickly); quick_exit(0); }
int main(void)
{
    step = 1;
    signal(SIGABRT, caught);
    abort();
}
