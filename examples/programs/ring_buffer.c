/* A ring buffer of bytes between a producer and a consumer.
 *
 * The buffer keeps one count, so that full and empty differ. With RING_ERROR the write index wraps
 * one element too late.
 */
#include <assert.h>
#include <stddef.h>

#define CAPACITY 8

extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

enum status { OK, FULL, EMPTY };

struct ring {
    unsigned char data[CAPACITY];
    unsigned read;
    unsigned write;
    unsigned count;
};

struct statistics {
    unsigned accepted;
    unsigned refused;
    unsigned delivered;
};

static void ring_init(struct ring *ring)
{
    ring->read = 0;
    ring->write = 0;
    ring->count = 0;
}

static unsigned next_index(unsigned index)
{
#ifdef RING_ERROR
    if (index > CAPACITY - 1)
        return 0;
    return index + 1;
#else
    if (index >= CAPACITY - 1)
        return 0;
    return index + 1;
#endif
}

static int ring_is_full(const struct ring *ring)
{
    return ring->count == CAPACITY;
}

static int ring_is_empty(const struct ring *ring)
{
    return ring->count == 0;
}

static enum status ring_put(struct ring *ring, unsigned char byte)
{
    if (ring_is_full(ring))
        return FULL;
    ring->data[ring->write] = byte;
    ring->write = next_index(ring->write);
    ring->count++;
    return OK;
}

static enum status ring_get(struct ring *ring, unsigned char *byte)
{
    if (ring_is_empty(ring))
        return EMPTY;
    *byte = ring->data[ring->read];
    ring->read = next_index(ring->read);
    ring->count--;
    return OK;
}

static void produce(struct ring *ring, struct statistics *all)
{
    unsigned char byte = __VERIFIER_nondet_uchar();
    if (ring_put(ring, byte) == OK)
        all->accepted++;
    else
        all->refused++;
}

static void consume(struct ring *ring, struct statistics *all)
{
    unsigned char byte = 0;
    if (ring_get(ring, &byte) == OK)
        all->delivered++;
}

int main(void)
{
    struct ring ring;
    struct statistics all = {0, 0, 0};
    ring_init(&ring);
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int())
            produce(&ring, &all);
        else
            consume(&ring, &all);
        assert(ring.count <= CAPACITY);
        assert(ring.read < CAPACITY);
        assert(ring.write < CAPACITY);
    }
    return 0;
}
