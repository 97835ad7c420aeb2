/* A parser of settings such as "w=12;h=7;", as a device reads them from a line: names are single
 * letters, values are numbers of at most three digits.
 *
 *   line    = { setting } end
 *   setting = letter '=' number ';'
 *   number  = digit { digit }
 *
 * With PARSER_ERROR a number may have any number of digits and be larger than the device allows.
 */
#include <assert.h>

#define LINE 7
#define SETTINGS 4
#define MAX_VALUE 999

extern char __VERIFIER_nondet_char(void);

enum status { OK, BAD_NAME, NO_EQUALS, NO_NUMBER, TOO_LARGE, NO_SEMICOLON, TOO_MANY };

struct setting {
    char name;
    short value;
};

struct parser {
    const char *text;
    int at;
    int length;
    enum status status;
};

struct settings {
    struct setting list[SETTINGS];
    int count;
};

static int at_end(const struct parser *parser)
{
    return parser->at >= parser->length || parser->text[parser->at] == '\0';
}

static char peek(const struct parser *parser)
{
    return at_end(parser) ? '\0' : parser->text[parser->at];
}

static void advance(struct parser *parser)
{
    if (!at_end(parser))
        parser->at++;
}

static int is_letter(char c)
{
    return c >= 'a' && c <= 'z';
}

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static int fail(struct parser *parser, enum status status)
{
    parser->status = status;
    return 0;
}

static int expect(struct parser *parser, char wanted, enum status otherwise)
{
    if (peek(parser) != wanted)
        return fail(parser, otherwise);
    advance(parser);
    return 1;
}

static int parse_number(struct parser *parser, short *result)
{
    int value = 0;
    if (!is_digit(peek(parser)))
        return fail(parser, NO_NUMBER);
    while (is_digit(peek(parser))) {
        value = value * 10 + (peek(parser) - '0');
#ifndef PARSER_ERROR
        if (value > MAX_VALUE)
            return fail(parser, TOO_LARGE);
#endif
        advance(parser);
    }
    *result = (short)value;
    return 1;
}

static int parse_setting(struct parser *parser, struct settings *settings)
{
    struct setting setting;
    if (!is_letter(peek(parser)))
        return fail(parser, BAD_NAME);
    setting.name = peek(parser);
    advance(parser);
    if (!expect(parser, '=', NO_EQUALS) || !parse_number(parser, &setting.value))
        return 0;
    if (!expect(parser, ';', NO_SEMICOLON))
        return 0;
    if (settings->count >= SETTINGS)
        return fail(parser, TOO_MANY);
    settings->list[settings->count] = setting;
    settings->count++;
    return 1;
}

static enum status parse(const char *text, int length, struct settings *settings)
{
    struct parser parser = { text, 0, length, OK };
    settings->count = 0;
    while (!at_end(&parser))
        if (!parse_setting(&parser, settings))
            break;
    assert(parser.at >= 0 && parser.at <= length);
    return parser.status;
}

static int value_of(const struct settings *settings, char name)
{
    int i;
    for (i = 0; i < settings->count; i++)
        if (settings->list[i].name == name)
            return settings->list[i].value;
    return -1;
}

int main(void)
{
    char line[LINE];
    struct settings settings;
    int i;
    for (i = 0; i < LINE; i++)
        line[i] = __VERIFIER_nondet_char();
    if (parse(line, LINE, &settings) == OK) {
        assert(settings.count <= SETTINGS);
        assert(value_of(&settings, 'w') <= MAX_VALUE);
        assert(value_of(&settings, 'h') >= -1);
    }
    return 0;
}
