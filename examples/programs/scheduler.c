/* A scheduler of periodic tasks by priority, with a ready list as a bit set.
 *
 * With SCHEDULER_ERROR a task may block itself for 32 ticks, and its bit is shifted out of the word.
 */
#include <assert.h>

#define TASKS 4

extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

enum mode { READY, RUNNING, BLOCKED };

struct task {
    enum mode mode;
    unsigned wake;
    unsigned runs;
};

struct scheduler {
    struct task tasks[TASKS];
    unsigned ready;
    unsigned now;
    int current;
};

static unsigned bit(unsigned number)
{
    return 1u << number;
}

static void scheduler_init(struct scheduler *s)
{
    unsigned i;
    for (i = 0; i < TASKS; i++) {
        s->tasks[i].mode = READY;
        s->tasks[i].wake = 0;
        s->tasks[i].runs = 0;
    }
    s->ready = bit(TASKS) - 1;
    s->now = 0;
    s->current = -1;
}

static int highest(unsigned set)
{
    int i;
    for (i = 0; i < TASKS; i++)
        if (set & bit((unsigned)i))
            return i;
    return -1;
}

static void make_ready(struct scheduler *s, unsigned number)
{
    s->tasks[number].mode = READY;
    s->ready |= bit(number);
}

static void block(struct scheduler *s, unsigned ticks)
{
    struct task *task;
    if (s->current < 0)
        return;
    task = &s->tasks[s->current];
    task->mode = BLOCKED;
    task->wake = s->now + bit(ticks);
    s->ready &= ~bit((unsigned)s->current);
    s->current = -1;
}

static void tick(struct scheduler *s)
{
    unsigned i;
    s->now++;
    for (i = 0; i < TASKS; i++)
        if (s->tasks[i].mode == BLOCKED && s->tasks[i].wake == s->now)
            make_ready(s, i);
}

static void dispatch(struct scheduler *s)
{
    int next = highest(s->ready);
    if (s->current >= 0 && s->current != next)
        s->tasks[s->current].mode = READY;
    s->current = next;
    if (next >= 0) {
        s->tasks[next].mode = RUNNING;
        s->tasks[next].runs++;
    }
}

int main(void)
{
    struct scheduler s;
    scheduler_init(&s);
    while (__VERIFIER_nondet_int()) {
        unsigned ticks = __VERIFIER_nondet_uint();
        tick(&s);
        dispatch(&s);
        assert(s.current < TASKS);
        if (s.current >= 0)
            assert(s.tasks[s.current].mode == RUNNING);
#ifdef SCHEDULER_ERROR
        if (ticks <= 32)
            block(&s, ticks);
#else
        if (ticks < 32)
            block(&s, ticks);
#endif
        assert(s.ready < bit(TASKS));
    }
    return 0;
}
