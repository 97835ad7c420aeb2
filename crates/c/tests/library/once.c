#include <pthread.h>
static int calls;
static pthread_once_t control = PTHREAD_ONCE_INIT;
static void once(void) { calls++; }
int main(void)
{
    CHECK(pthread_once(&control, once) == 0);
    CHECK(calls == 1);
    pthread_once(&control, once);
    CHECK(calls == 1);
    return 0;
}
