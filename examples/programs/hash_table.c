/* A hash table with chains of allocated entries, and a cleanup that frees all of them.
 *
 * With HASH_ERROR the removal of an entry frees it before its successor is read.
 */
#include <assert.h>
#include <stdlib.h>

#define BUCKETS 2

extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

struct entry {
    unsigned key;
    int value;
    struct entry *next;
};

struct table {
    struct entry *buckets[BUCKETS];
    int count;
};

static unsigned hash(unsigned key)
{
    return (key ^ (key >> 16)) % BUCKETS;
}

static void table_init(struct table *table)
{
    int i;
    for (i = 0; i < BUCKETS; i++)
        table->buckets[i] = NULL;
    table->count = 0;
}

static struct entry *table_find(struct table *table, unsigned key)
{
    struct entry *entry = table->buckets[hash(key)];
    while (entry && entry->key != key)
        entry = entry->next;
    return entry;
}

static int table_put(struct table *table, unsigned key, int value)
{
    struct entry *entry = table_find(table, key);
    if (entry) {
        entry->value = value;
        return 0;
    }
    entry = malloc(sizeof *entry);
    if (!entry)
        return -1;
    entry->key = key;
    entry->value = value;
    entry->next = table->buckets[hash(key)];
    table->buckets[hash(key)] = entry;
    table->count++;
    return 1;
}

static int table_remove(struct table *table, unsigned key)
{
    struct entry **link = &table->buckets[hash(key)];
    while (*link) {
        struct entry *entry = *link;
        if (entry->key == key) {
#ifdef HASH_ERROR
            free(entry);
            *link = entry->next;
#else
            *link = entry->next;
            free(entry);
#endif
            table->count--;
            return 1;
        }
        link = &entry->next;
    }
    return 0;
}

static void table_clear(struct table *table)
{
    int i;
    for (i = 0; i < BUCKETS; i++) {
        struct entry *entry = table->buckets[i];
        while (entry) {
            struct entry *next = entry->next;
            free(entry);
            table->count--;
            entry = next;
        }
        table->buckets[i] = NULL;
    }
}

int main(void)
{
    struct table table;
    unsigned first = __VERIFIER_nondet_uint();
    unsigned second = __VERIFIER_nondet_uint();
    struct entry *found;
    table_init(&table);
    if (table_put(&table, first, 1) < 0)
        return 1;
    if (table_put(&table, second, 2) < 0) {
        table_clear(&table);
        return 1;
    }
    found = table_find(&table, second);
    assert(found && found->value == 2);
    if (first != second) {
        assert(table.count == 2);
        assert(table_remove(&table, first));
        assert(!table_find(&table, first));
    }
    table_clear(&table);
    assert(table.count == 0);
    return 0;
}
