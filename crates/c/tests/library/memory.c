#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
int main(void)
{
    void *block = 0;
    int *numbers;
    CHECK(posix_memalign(&block, 64, 16) == 0 && block != 0);
    memset(block, 7, 16);
    CHECK(((char *)block)[15] == 7);
    CHECK(posix_memalign(&block, 3, 16) == EINVAL);
    numbers = reallocarray(0, 4, sizeof *numbers);
    numbers[3] = 9;
    CHECK(numbers[3] == 9);
    CHECK(htonl(0x01020304) == 0x04030201);
    CHECK(ntohs(0x0102) == 0x0201);
    errno = 5;
    CHECK(errno == 5);
    return 0;
}
