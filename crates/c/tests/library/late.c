#include <signal.h>
#include <stdlib.h>
int step;
static void last(void) { CHECK(step == 3); step = 4; }
static void middle(int status, void *argument) { CHECK(status == 0 && argument == &step && step == 2); step = 3; }
static void first(void) { CHECK(step == 1); step = 2; }
static void caught(int number) { step += number; }
int main(void)
{
    void (*old)(int);
    CHECK(signal(SIGUSR1, caught) == SIG_DFL);
    CHECK(raise(SIGUSR1) == 0 && step == SIGUSR1);
    old = signal(SIGUSR1, SIG_IGN);
    CHECK(old == caught && raise(SIGUSR1) == 0 && step == SIGUSR1);
    CHECK(raise(SIGCHLD) == 0);
    CHECK(signal(SIGKILL, caught) == SIG_ERR);
    CHECK(raise(1000) == -1);
    step = 0;
    CHECK(atexit(last) == 0);
    on_exit(middle, &step);
    atexit(first);
    step = 1;
    return 0;
}
