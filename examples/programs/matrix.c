/* Matrices of three rows and columns in one array each, and vectors, of the small numbers that a
 * microcontroller uses to turn points.
 *
 * With MATRIX_ERROR the transposition takes an index from the wrong loop.
 */
#include <assert.h>

#define SIZE 3
#define LARGEST 65535

typedef signed char number;

extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);

struct matrix {
    number cells[SIZE * SIZE];
};

struct vector {
    number cells[SIZE];
};

struct sums {
    int cells[SIZE];
};

static number *cell(struct matrix *matrix, int row, int column)
{
    assert(row >= 0 && row < SIZE);
    assert(column >= 0 && column < SIZE);
    return &matrix->cells[row * SIZE + column];
}

static void read_matrix(struct matrix *matrix)
{
    int i;
    for (i = 0; i < SIZE * SIZE; i++)
        matrix->cells[i] = __VERIFIER_nondet_char();
}

static void read_vector(struct vector *vector)
{
    int i;
    for (i = 0; i < SIZE; i++)
        vector->cells[i] = __VERIFIER_nondet_char();
}

static void transpose(struct matrix *from, struct matrix *to)
{
    int row, column;
    for (row = 0; row < SIZE; row++)
        for (column = 0; column < SIZE; column++)
#ifdef MATRIX_ERROR
            *cell(to, column, row) = *cell(from, row, row);
#else
            *cell(to, column, row) = *cell(from, row, column);
#endif
}

/* What a matrix makes of a vector, before it is scaled. */
static void apply(struct matrix *matrix, const struct vector *from, struct sums *to)
{
    int row, column;
    for (row = 0; row < SIZE; row++) {
        int sum = 0;
        for (column = 0; column < SIZE; column++)
            sum += *cell(matrix, row, column) * from->cells[column];
        to->cells[row] = sum;
    }
}

/* Any row or column. */
static int any_index(void)
{
    int index = __VERIFIER_nondet_int();
    return index >= 0 && index < SIZE ? index : 0;
}

static int absolute(int value)
{
    return value < 0 ? -value : value;
}

static void check_transposition(struct matrix *a, struct matrix *b)
{
    int row = any_index();
    int column = any_index();
    assert(*cell(a, row, column) == *cell(b, column, row));
}

int main(void)
{
    struct matrix turn, back;
    struct vector point;
    struct sums turned;
    read_matrix(&turn);
    transpose(&turn, &back);
    check_transposition(&turn, &back);
    read_vector(&point);
    apply(&back, &point, &turned);
    assert(absolute(turned.cells[any_index()]) <= LARGEST);
    return 0;
}
