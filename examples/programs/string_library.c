/* Strings of bounded length in buffers of a known size: copy, append, compare, search, trim.
 *
 * With STRING_ERROR the copy writes the final zero behind the buffer when the text is cut off.
 */
#include <assert.h>

#define ROOM 4

extern char __VERIFIER_nondet_char(void);

struct text {
    char bytes[ROOM];
    int guard;
};

static unsigned length(const char *text, unsigned most)
{
    unsigned count = 0;
    while (count < most && text[count] != 0)
        count++;
    return count;
}

static unsigned copy(char *to, unsigned room, const char *from)
{
    unsigned i = 0;
    if (room == 0)
        return 0;
#ifdef STRING_ERROR
    while (i < room && from[i] != 0) {
#else
    while (i + 1 < room && from[i] != 0) {
#endif
        to[i] = from[i];
        i++;
    }
    to[i] = 0;
    return i;
}

static unsigned append(char *to, unsigned room, const char *from)
{
    unsigned used = length(to, room);
    if (used >= room)
        return used;
    return used + copy(to + used, room - used, from);
}

static int compare(const char *a, const char *b, unsigned most)
{
    unsigned i;
    for (i = 0; i < most; i++) {
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
        if (a[i] == 0)
            return 0;
    }
    return 0;
}

static int find(const char *text, unsigned most, char wanted)
{
    unsigned i;
    for (i = 0; i < most && text[i] != 0; i++)
        if (text[i] == wanted)
            return (int)i;
    return -1;
}

static void trim(char *text, unsigned room)
{
    unsigned end = length(text, room);
    while (end > 0 && text[end - 1] == ' ')
        end--;
    if (end < room)
        text[end] = 0;
}

static void read_line(char *line, unsigned room)
{
    unsigned i;
    for (i = 0; i + 1 < room; i++)
        line[i] = __VERIFIER_nondet_char();
    line[room - 1] = 0;
}

int main(void)
{
    char line[ROOM + 2];
    struct text name;
    unsigned used;
    int place;
    name.guard = 42;
    read_line(line, sizeof line);
    used = copy(name.bytes, ROOM, line);
    assert(used < ROOM);
    assert(name.guard == 42);
    assert(length(name.bytes, ROOM) == used);
    assert(compare(name.bytes, line, used) == 0);
    used = append(name.bytes, ROOM, "ab");
    assert(used < ROOM);
    trim(name.bytes, ROOM);
    place = find(name.bytes, ROOM, 'x');
    assert(place < ROOM);
    assert(name.guard == 42);
    return 0;
}
