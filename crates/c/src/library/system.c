/* The system: errors, files, time, the end of the program. SIZE is `size_t`. */

long time(long *to)
{
    long __wedge_any_long(void);
    void __wedge_assume(int);
    long now = __wedge_any_long();
    __wedge_assume(now >= -1);
    if (to) *to = now;
    return now;
}

int gettimeofday(void *to, void *zone)
{
    long __wedge_any_long(void);
    void __wedge_assume(int);
    long *parts = to;
    if (!parts) return 0;
    parts[0] = __wedge_any_long();
    parts[1] = __wedge_any_long();
    __wedge_assume(parts[0] >= 0 && parts[1] >= 0 && parts[1] < 1000000);
    return 0;
}

int clock_gettime(int which, void *to)
{
    long __wedge_any_long(void);
    int __wedge_any_int(void);
    void __wedge_assume(int);
    long *parts = to;
    int result = __wedge_any_int();
    __wedge_assume(result == 0 || result == -1);
    if (result) return result;
    parts[0] = __wedge_any_long();
    parts[1] = __wedge_any_long();
    __wedge_assume(parts[0] >= 0 && parts[1] >= 0 && parts[1] < 1000000000);
    return 0;
}

int posix_memalign(void **to, SIZE alignment, SIZE size)
{
    void *malloc(SIZE);
    if (alignment < sizeof(void *) || (alignment & (alignment - 1))) return 22;
    *to = malloc(size);
    return 0;
}

void *reallocarray(void *old, SIZE count, SIZE size)
{
    void *realloc(void *, SIZE);
    if (size && count > ~(SIZE)0 / size) return 0;
    return realloc(old, count * size);
}

void *fopen(const char *name, const char *mode)
{
    char __wedge_any_char(void);
    void *malloc(SIZE);
    return __wedge_any_char() & 1 ? malloc(1) : 0;
}

void *fdopen(int file, const char *mode)
{
    char __wedge_any_char(void);
    void *malloc(SIZE);
    return __wedge_any_char() & 1 ? malloc(1) : 0;
}

void *tmpfile(void)
{
    char __wedge_any_char(void);
    void *malloc(SIZE);
    return __wedge_any_char() & 1 ? malloc(1) : 0;
}

void *popen(const char *command, const char *mode)
{
    char __wedge_any_char(void);
    void *malloc(SIZE);
    return __wedge_any_char() & 1 ? malloc(1) : 0;
}

int fclose(void *file)
{
    int __wedge_any_int(void);
    void __wedge_assume(int);
    int result = __wedge_any_int();
    __wedge_assume(result == 0 || result == -1);
    return result;
}

int pclose(void *file)
{
    int __wedge_any_int(void);
    return __wedge_any_int();
}

int setvbuf(void *file, char *buffer, int mode, SIZE size)
{
    int __wedge_any_int(void);
    void __wedge_refuse(void);
    if (buffer) __wedge_refuse();
    return __wedge_any_int();
}

void setbuf(void *file, char *buffer)
{
    void __wedge_refuse(void);
    if (buffer) __wedge_refuse();
}

char *strerror(int number)
{
    void *malloc(SIZE);
    void __wedge_assume(int);
    char *text = malloc(64);
    __wedge_assume(text[63] == 0);
    return text;
}

int pthread_once(int *once, void (*function)(void))
{
    if (*once == 0) { *once = 2; function(); }
    return 0;
}

void call_once(int *once, void (*function)(void))
{
    if (*once == 0) { *once = 2; function(); }
}
