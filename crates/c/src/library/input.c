/* Input: arbitrary, of the right shape. SIZE is `size_t`, LONG the type of its differences.
   Reading fails at the end of the input only. A line or text of which nothing else bounds the length
   has at most 2^20 bytes. What was the last stream to end is remembered, and whether the standard input
   of functions that name no stream has ended: nothing more comes from there until the program puts a
   character back, goes elsewhere or clears the end (C11 7.21.7.1). */

void **__wedge_ended(void)
{
    static void *file;
    return &file;
}

char *__wedge_input_ended(void)
{
    static char is_ended;
    return &is_ended;
}

void __wedge_go_on(void)
{
    void **__wedge_ended(void);
    char *__wedge_input_ended(void);
    *__wedge_ended() = 0;
    *__wedge_input_ended() = 0;
}

int __wedge_character(int is_ended)
{
    int __wedge_any_int(void);
    void __wedge_fail(void), __wedge_assume(int);
    int c = __wedge_any_int();
    __wedge_assume(c >= -1 && c <= 255 && (c < 0 || !is_ended));
    if (c < 0) __wedge_fail();
    return c;
}

int getchar(void)
{
    char *__wedge_input_ended(void);
    int __wedge_character(int);
    int c = __wedge_character(*__wedge_input_ended());
    if (c < 0) *__wedge_input_ended() = 1;
    return c;
}

int getchar_unlocked(void)
{
    int getchar(void);
    return getchar();
}

int fgetc(void *file)
{
    void **__wedge_ended(void);
    int __wedge_character(int);
    int c = __wedge_character(*__wedge_ended() == file);
    if (c < 0) *__wedge_ended() = file;
    return c;
}

int fgetc_unlocked(void *file)
{
    int fgetc(void *);
    return fgetc(file);
}

int getc(void *file)
{
    int fgetc(void *);
    return fgetc(file);
}

int getc_unlocked(void *file)
{
    int fgetc(void *);
    return fgetc(file);
}

int _IO_getc(void *file)
{
    int fgetc(void *);
    return fgetc(file);
}

char *fgets(char *s, int n, void *file)
{
    SIZE __wedge_any_length(void);
    char __wedge_any_char(void);
    void __wedge_assume(int), **__wedge_ended(void);
    SIZE length, i = 0;
    if (n <= 0) return 0;
    if (n == 1) { s[0] = 0; return s; }
    length = __wedge_any_length();
    __wedge_assume(length < n && (!length || *__wedge_ended() != file));
    if (!length) { *__wedge_ended() = file; return 0; }
    while (i < length) {
        char c = __wedge_any_char();
        __wedge_assume(c != '\n' || i + 1 == length);
        s[i] = c;
        i++;
    }
    s[length] = 0;
    if (length + 1 < n && s[length - 1] != '\n') *__wedge_ended() = file;
    return s;
}

char *gets(char *s)
{
    SIZE __wedge_any_length(void);
    char __wedge_any_char(void);
    void __wedge_assume(int);
    SIZE length = __wedge_any_length(), i = 0;
    unsigned char is_end = __wedge_any_char();
    if (is_end & 1) return 0;
    while (i < length) {
        char c = __wedge_any_char();
        __wedge_assume(c != '\n');
        s[i] = c;
        i++;
    }
    s[length] = 0;
    return s;
}

SIZE fread(void *to, SIZE size, SIZE count, void *file)
{
    SIZE __wedge_any_length(void);
    char __wedge_any_char(void);
    void __wedge_assume(int), **__wedge_ended(void);
    char *bytes = to;
    SIZE i = 0, length;
    if (!size || !count) return 0;
    length = __wedge_any_length();
    __wedge_assume(length <= size * count && (!length || *__wedge_ended() != file));
    if (length < size * count) *__wedge_ended() = file;
    while (i < length) { bytes[i] = __wedge_any_char(); i++; }
    return length / size;
}

SIZE fwrite(const void *from, SIZE size, SIZE count, void *file)
{
    SIZE __wedge_any_length(void);
    void __wedge_assume(int);
    SIZE length = __wedge_any_length();
    __wedge_assume(length <= count && (size || !length));
    return length;
}

LONG read(int file, void *to, SIZE count)
{
    void __wedge_fail(void);
    LONG __wedge_any_count(void);
    char __wedge_any_char(void);
    void __wedge_assume(int);
    char *bytes = to;
    LONG i = 0, length = __wedge_any_count();
    __wedge_assume(length >= -1 && (length < 0 || (SIZE)length <= count));
    if (length < 0) __wedge_fail();
    while (i < length) { bytes[i] = __wedge_any_char(); i++; }
    return length;
}

LONG write(int file, const void *from, SIZE count)
{
    void __wedge_fail(void);
    LONG __wedge_any_count(void);
    void __wedge_assume(int);
    LONG length = __wedge_any_count();
    __wedge_assume(length >= -1 && (length < 0 || (SIZE)length <= count));
    if (length < 0) __wedge_fail();
    return length;
}

LONG getdelim(char **line, SIZE *room, int delimiter, void *file)
{
    SIZE __wedge_any_line(void);
    char __wedge_any_char(void);
    void __wedge_assume(int), **__wedge_ended(void);
    void *realloc(void *, SIZE);
    SIZE length = __wedge_any_line(), i = 0;
    __wedge_assume(length <= 0x100000 && (!length || *__wedge_ended() != file));
    if (!length) { *__wedge_ended() = file; return -1; }
    if (!*line || *room <= length) { *line = realloc(*line, length + 1); *room = length + 1; }
    while (i < length) {
        char c = __wedge_any_char();
        __wedge_assume(c != (char)delimiter || i + 1 == length);
        (*line)[i] = c;
        i++;
    }
    (*line)[length] = 0;
    if ((*line)[length - 1] != (char)delimiter) *__wedge_ended() = file;
    return length;
}

void rewind(void *file)
{
    void __wedge_go_on(void);
    __wedge_go_on();
}

void clearerr(void *file)
{
    void __wedge_go_on(void);
    __wedge_go_on();
}

void clearerr_unlocked(void *file)
{
    void __wedge_go_on(void);
    __wedge_go_on();
}

int fseek(void *file, LONG offset, int from)
{
    int __wedge_moved(void);
    return __wedge_moved();
}

int fseeko(void *file, LONG offset, int from)
{
    int __wedge_moved(void);
    return __wedge_moved();
}

int __wedge_moved(void)
{
    void __wedge_fail(void), __wedge_go_on(void);
    int __wedge_any_int(void);
    void __wedge_assume(int);
    int result = __wedge_any_int();
    __wedge_assume(result == 0 || result == -1);
    if (result) __wedge_fail();
    __wedge_go_on();
    return result;
}

LONG getline(char **line, SIZE *room, void *file)
{
    LONG getdelim(char **, SIZE *, int, void *);
    return getdelim(line, room, '\n', file);
}

char *getenv(const char *name)
{
    SIZE __wedge_any_line(void);
    char __wedge_any_char(void);
    void *__wedge_memory(SIZE);
    void __wedge_assume(int);
    SIZE length = __wedge_any_line();
    char *text;
    if (!length) return 0;
    __wedge_assume(length <= 0x100000);
    text = __wedge_memory(length);
    __wedge_assume(text[length - 1] == 0);
    return text;
}

void __VERIFIER_nondet_memory(void *to, SIZE count)
{
    char __wedge_any_char(void);
    char *bytes = to;
    SIZE i = 0;
    while (i < count) { bytes[i] = __wedge_any_char(); i++; }
}

void arc4random_buf(void *to, SIZE count)
{
    char __wedge_any_char(void);
    char *bytes = to;
    SIZE i = 0;
    while (i < count) { bytes[i] = __wedge_any_char(); i++; }
}

int fputc(int c, void *file)
{
    int __wedge_written(int);
    return __wedge_written(c);
}

int fputc_unlocked(int c, void *file)
{
    int __wedge_written(int);
    return __wedge_written(c);
}

int putc(int c, void *file)
{
    int __wedge_written(int);
    return __wedge_written(c);
}

int putc_unlocked(int c, void *file)
{
    int __wedge_written(int);
    return __wedge_written(c);
}

int _IO_putc(int c, void *file)
{
    int __wedge_written(int);
    return __wedge_written(c);
}

int putchar(int c)
{
    int __wedge_written(int);
    return __wedge_written(c);
}

int putchar_unlocked(int c)
{
    int __wedge_written(int);
    return __wedge_written(c);
}

int ungetc(int c, void *file)
{
    int __wedge_written(int);
    void __wedge_go_on(void);
    if (c != -1) __wedge_go_on();
    return c == -1 ? -1 : __wedge_written(c);
}

int __wedge_written(int c)
{
    char __wedge_any_char(void);
    void __wedge_fail(void);
    if (!(__wedge_any_char() & 1)) return (unsigned char)c;
    __wedge_fail();
    return -1;
}
