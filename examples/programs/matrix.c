/* Small matrices in one array, with checks of their shapes.
 *
 * With MATRIX_ERROR the transposition uses the number of rows where it needs that of columns.
 */
#include <assert.h>

#define MOST 2

extern int __VERIFIER_nondet_int(void);

struct matrix {
    int rows;
    int columns;
    int cells[MOST * MOST];
};

static int is_valid_shape(int rows, int columns)
{
    return rows > 0 && rows <= MOST && columns > 0 && columns <= MOST;
}

static int matrix_init(struct matrix *matrix, int rows, int columns)
{
    int i;
    if (!is_valid_shape(rows, columns))
        return 0;
    matrix->rows = rows;
    matrix->columns = columns;
    for (i = 0; i < rows * columns; i++)
        matrix->cells[i] = 0;
    return 1;
}

static int *cell(struct matrix *matrix, int row, int column)
{
    assert(row >= 0 && row < matrix->rows);
    assert(column >= 0 && column < matrix->columns);
    return &matrix->cells[row * matrix->columns + column];
}

static void transpose(struct matrix *from, struct matrix *to)
{
    int row, column;
    matrix_init(to, from->columns, from->rows);
    for (row = 0; row < from->rows; row++)
#ifdef MATRIX_ERROR
        for (column = 0; column < from->rows; column++)
#else
        for (column = 0; column < from->columns; column++)
#endif
            *cell(to, column, row) = *cell(from, row, column);
}

static int multiply(struct matrix *a, struct matrix *b, struct matrix *result)
{
    int row, column, inner;
    if (a->columns != b->rows)
        return 0;
    matrix_init(result, a->rows, b->columns);
    for (row = 0; row < a->rows; row++)
        for (column = 0; column < b->columns; column++) {
            int sum = 0;
            for (inner = 0; inner < a->columns; inner++)
                sum += *cell(a, row, inner) * *cell(b, inner, column);
            *cell(result, row, column) = sum;
        }
    return 1;
}

static void read_matrix(struct matrix *matrix)
{
    int i;
    for (i = 0; i < matrix->rows * matrix->columns; i++) {
        int value = __VERIFIER_nondet_int();
        matrix->cells[i] = value > -100 && value < 100 ? value : 1;
    }
}

int main(void)
{
    struct matrix a, b, c;
    int rows = __VERIFIER_nondet_int();
    int columns = __VERIFIER_nondet_int();
    if (!matrix_init(&a, rows, columns))
        return 0;
    read_matrix(&a);
    transpose(&a, &b);
    assert(b.rows == a.columns && b.columns == a.rows);
    assert(multiply(&a, &b, &c));
    assert(c.rows == a.rows && c.columns == a.rows);
    return 0;
}
