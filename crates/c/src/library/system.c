/* The system: errors, files, time, the end of the program. SIZE is `size_t`. */

void __wedge_fail(void)
{
    int *__errno_location(void);
    int __wedge_any_int(void);
    int number = __wedge_any_int();
    if (number >= 1 && number <= 133) *__errno_location() = number;
}

void __wedge_math_fail(void)
{
    int *__errno_location(void);
    int __wedge_any_int(void);
    int number = __wedge_any_int();
    if (number == 33 || number == 34) *__errno_location() = number;
}

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
    int *__errno_location(void);
    long __wedge_any_long(void);
    int __wedge_any_int(void);
    void __wedge_assume(int);
    long *parts = to;
    int result = __wedge_any_int();
    __wedge_assume(result == 0 || result == -1);
    if (result) { *__errno_location() = 22; return result; }
    parts[0] = __wedge_any_long();
    parts[1] = __wedge_any_long();
    __wedge_assume(parts[0] >= 0 && parts[1] >= 0 && parts[1] < 1000000000);
    return 0;
}

int posix_memalign(void **to, SIZE alignment, SIZE size)
{
    void *aligned_alloc(SIZE, SIZE);
    if (alignment < sizeof(void *) || (alignment & (alignment - 1))) return 22;
    *to = aligned_alloc(alignment, size);
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
    void *__wedge_memory(SIZE);
    void __wedge_fail(void);
    if (__wedge_any_char() & 1) return __wedge_memory(1);
    __wedge_fail();
    return 0;
}

void *fdopen(int file, const char *mode)
{
    char __wedge_any_char(void);
    void *__wedge_memory(SIZE);
    void __wedge_fail(void);
    if (__wedge_any_char() & 1) return __wedge_memory(1);
    __wedge_fail();
    return 0;
}

void *tmpfile(void)
{
    char __wedge_any_char(void);
    void *__wedge_memory(SIZE);
    void __wedge_fail(void);
    if (__wedge_any_char() & 1) return __wedge_memory(1);
    __wedge_fail();
    return 0;
}

void *popen(const char *command, const char *mode)
{
    char __wedge_any_char(void);
    void *__wedge_memory(SIZE);
    void __wedge_fail(void);
    if (__wedge_any_char() & 1) return __wedge_memory(1);
    __wedge_fail();
    return 0;
}

int fclose(void *file)
{
    void __wedge_fail(void);
    int __wedge_any_int(void);
    void __wedge_assume(int);
    int result = __wedge_any_int();
    __wedge_assume(result == 0 || result == -1);
    if (result) __wedge_fail();
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
    void *__wedge_memory(SIZE);
    void __wedge_assume(int);
    char *text = __wedge_memory(64);
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

int *__wedge_exit_count(void)
{
    static int count;
    return &count;
}

void **__wedge_exit_functions(void)
{
    static void *functions[32];
    return functions;
}

void **__wedge_exit_arguments(void)
{
    static void *arguments[32];
    return arguments;
}

char *__wedge_exit_kinds(void)
{
    static char kinds[32];
    return kinds;
}

int atexit(void (*function)(void))
{
    int *__wedge_exit_count(void);
    void **__wedge_exit_functions(void), __wedge_refuse(void);
    char *__wedge_exit_kinds(void);
    int *count = __wedge_exit_count();
    if (*count >= 32) __wedge_refuse();
    __wedge_exit_functions()[*count] = (void *)function;
    __wedge_exit_kinds()[*count] = 0;
    *count = *count + 1;
    return 0;
}

int on_exit(void (*function)(int, void *), void *argument)
{
    int *__wedge_exit_count(void);
    void **__wedge_exit_functions(void), **__wedge_exit_arguments(void), __wedge_refuse(void);
    char *__wedge_exit_kinds(void);
    int *count = __wedge_exit_count();
    if (*count >= 32) __wedge_refuse();
    __wedge_exit_functions()[*count] = (void *)function;
    __wedge_exit_arguments()[*count] = argument;
    __wedge_exit_kinds()[*count] = 1;
    *count = *count + 1;
    return 0;
}

void exit(int status)
{
    int *__wedge_exit_count(void);
    void **__wedge_exit_functions(void), **__wedge_exit_arguments(void), __wedge_end(int);
    char *__wedge_exit_kinds(void);
    int *count = __wedge_exit_count();
    void **functions = __wedge_exit_functions(), **arguments = __wedge_exit_arguments();
    char *kinds = __wedge_exit_kinds();
    while (*count > 0) {
        *count = *count - 1;
        if (kinds[*count]) ((void (*)(int, void *))functions[*count])(status, arguments[*count]);
        else ((void (*)(void))functions[*count])();
    }
    __wedge_end(status);
}

int *__wedge_quick_count(void)
{
    static int count;
    return &count;
}

void **__wedge_quick_functions(void)
{
    static void *functions[32];
    return functions;
}

int at_quick_exit(void (*function)(void))
{
    int *__wedge_quick_count(void);
    void **__wedge_quick_functions(void), __wedge_refuse(void);
    int *count = __wedge_quick_count();
    if (*count >= 32) __wedge_refuse();
    __wedge_quick_functions()[*count] = (void *)function;
    *count = *count + 1;
    return 0;
}

void quick_exit(int status)
{
    int *__wedge_quick_count(void);
    void **__wedge_quick_functions(void), __wedge_end(int);
    int *count = __wedge_quick_count();
    while (*count > 0) {
        *count = *count - 1;
        ((void (*)(void))__wedge_quick_functions()[*count])();
    }
    __wedge_end(status);
}

void **__wedge_handlers(void)
{
    static void *handlers[65];
    return handlers;
}

char *__wedge_handled(void)
{
    static char handled[65];
    return handled;
}

void *signal(int number, void *handler)
{
    void **__wedge_handlers(void), **handlers = __wedge_handlers(), *old;
    int *__errno_location(void);
    if (number < 1 || number > 64 || number == 9 || number == 19) { *__errno_location() = 22; return (void *)-1; }
    old = handlers[number];
    handlers[number] = handler;
    return old;
}

int raise(int number)
{
    void **__wedge_handlers(void), *handler, __wedge_end(int), __wedge_refuse(void);
    char *__wedge_handled(void), *handled = __wedge_handled();
    int *__errno_location(void);
    if (number < 0 || number > 64) { *__errno_location() = 22; return -1; }
    handler = number ? __wedge_handlers()[number] : (void *)1;
    if (handler == (void *)1) return 0;
    if (handler == 0) {
        if (number == 17 || number == 18 || number == 23 || number == 28) return 0;
        __wedge_end(128 + number);
    }
    /* It would wait until the handler that runs has ended. */
    if (handled[number]) __wedge_refuse();
    handled[number] = 1;
    ((void (*)(int))handler)(number);
    handled[number] = 0;
    return 0;
}

void abort(void)
{
    void **__wedge_handlers(void), *handler = __wedge_handlers()[6], __wedge_abort(void);
    char *__wedge_handled(void);
    if (handler != 0 && handler != (void *)1 && !__wedge_handled()[6]) {
        __wedge_handled()[6] = 1;
        ((void (*)(int))handler)(6);
    }
    __wedge_abort();
}
