/* An allocator of blocks of one size in a fixed arena, with a list of free blocks by index.
 *
 * With ALLOCATOR_ERROR a block that is given back twice is not noticed, and the count of free
 * blocks exceeds what there is.
 */
#include <assert.h>
#include <string.h>

#define BLOCKS 4
#define BLOCK_BYTES 16
#define NONE (-1)

extern int __VERIFIER_nondet_int(void);

struct pool {
    unsigned char arena[BLOCKS][BLOCK_BYTES];
    int next[BLOCKS];
    int used[BLOCKS];
    int first;
    int available;
};

static struct pool pool;

static void pool_init(void)
{
    int i;
    for (i = 0; i < BLOCKS; i++) {
        pool.next[i] = i + 1 < BLOCKS ? i + 1 : NONE;
        pool.used[i] = 0;
    }
    pool.first = 0;
    pool.available = BLOCKS;
}

static int pool_take(void)
{
    int block = pool.first;
    if (block == NONE)
        return NONE;
    pool.first = pool.next[block];
    pool.next[block] = NONE;
    pool.used[block] = 1;
    pool.available--;
    return block;
}

static int pool_give(int block)
{
    if (block < 0 || block >= BLOCKS)
        return 0;
#ifndef ALLOCATOR_ERROR
    if (!pool.used[block])
        return 0;
#endif
    pool.used[block] = 0;
    pool.next[block] = pool.first;
    pool.first = block;
    pool.available++;
    return 1;
}

static void fill(int block, int value)
{
    memset(pool.arena[block], value, BLOCK_BYTES);
}

static int count_used(void)
{
    int count = 0;
    int i;
    for (i = 0; i < BLOCKS; i++)
        if (pool.used[i])
            count++;
    return count;
}

static void request(void)
{
    int block = pool_take();
    if (block == NONE) {
        assert(pool.available == 0);
        return;
    }
    assert(block >= 0 && block < BLOCKS);
    fill(block, 0xa5);
}

static void release(void)
{
    int block = __VERIFIER_nondet_int();
    pool_give(block);
}

int main(void)
{
    int steps;
    pool_init();
    for (steps = 0; steps < 3; steps++) {
        if (__VERIFIER_nondet_int())
            request();
        else
            release();
        assert(pool.available >= 0);
        assert(pool.available + count_used() == BLOCKS);
    }
    return 0;
}
