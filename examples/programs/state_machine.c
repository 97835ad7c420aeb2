/* The controller of a door with a lock, a motor and an obstacle sensor.
 *
 * The door never moves while it is locked, and never closes on an obstacle. With MACHINE_ERROR a
 * request to close while the door is opening is obeyed without a look at the sensor.
 */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

enum state { CLOSED, OPENING, OPEN, CLOSING, LOCKED };
enum event { PRESS_OPEN, PRESS_CLOSE, TURN_KEY, TICK };

struct door {
    enum state state;
    int position;
    int motor;
    int obstacle;
};

#define FULLY_OPEN 5

static void stop(struct door *door, enum state state)
{
    door->state = state;
    door->motor = 0;
}

static void start(struct door *door, enum state state, int direction)
{
    door->state = state;
    door->motor = direction;
}

static void on_open(struct door *door)
{
    switch (door->state) {
    case CLOSED:
    case CLOSING:
        start(door, OPENING, 1);
        break;
    case OPENING:
    case OPEN:
    case LOCKED:
        break;
    }
}

static void on_close(struct door *door)
{
    switch (door->state) {
    case OPEN:
        if (!door->obstacle)
            start(door, CLOSING, -1);
        break;
    case OPENING:
#ifdef MACHINE_ERROR
        start(door, CLOSING, -1);
#else
        if (!door->obstacle)
            start(door, CLOSING, -1);
#endif
        break;
    case CLOSED:
    case CLOSING:
    case LOCKED:
        break;
    }
}

static void on_key(struct door *door)
{
    if (door->state == CLOSED)
        stop(door, LOCKED);
    else if (door->state == LOCKED)
        stop(door, CLOSED);
}

static void on_tick(struct door *door)
{
    if (door->motor > 0) {
        if (door->position < FULLY_OPEN)
            door->position++;
        if (door->position >= FULLY_OPEN)
            stop(door, OPEN);
    } else if (door->motor < 0) {
        if (door->position > 0)
            door->position--;
        if (door->position <= 0)
            stop(door, CLOSED);
    }
}

static void sense(struct door *door)
{
    door->obstacle = __VERIFIER_nondet_int() != 0;
    if (door->obstacle && door->state == CLOSING)
        start(door, OPENING, 1);
}

static void handle(struct door *door, enum event event)
{
    switch (event) {
    case PRESS_OPEN:
        on_open(door);
        break;
    case PRESS_CLOSE:
        on_close(door);
        break;
    case TURN_KEY:
        on_key(door);
        break;
    case TICK:
        on_tick(door);
        break;
    }
}

int main(void)
{
    struct door door = {CLOSED, 0, 0, 0};
    for (;;) {
        int event = __VERIFIER_nondet_int();
        sense(&door);
        if (event < PRESS_OPEN || event > TICK)
            event = TICK;
        handle(&door, (enum event)event);
        assert(!(door.state == LOCKED && door.motor != 0));
        assert(!(door.state == CLOSING && door.obstacle));
        assert(door.position >= 0 && door.position <= FULLY_OPEN);
    }
}
