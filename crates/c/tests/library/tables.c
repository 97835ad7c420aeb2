#define _GNU_SOURCE
#include <ctype.h>
#include <math.h>
int main(void)
{
    const unsigned short *table = *__ctype_b_loc();
    const int *lower = *__ctype_tolower_loc(), *upper = *__ctype_toupper_loc();
    double zero = 0;
    CHECK((table['a'] & _ISalpha) && (table['7'] & _ISdigit) && !(table['a'] & _ISdigit));
    CHECK(table['A'] == (unsigned short)(_ISupper | _ISalpha | _ISxdigit | _ISprint | _ISgraph | _ISalnum));
    CHECK(table[' '] == (unsigned short)(_ISspace | _ISprint | _ISblank) && table['\t'] == (unsigned short)(_ISspace | _ISblank | _IScntrl));
    CHECK(table['!'] == (unsigned short)(_ISprint | _ISgraph | _ISpunct) && !table[-1] && !table[200] && !table[-128]);
    CHECK(lower['Q'] == 'q' && lower['q'] == 'q' && lower[-1] == -1 && lower[-2] == 254 && lower[200] == 200);
    CHECK(upper['q'] == 'Q' && upper['1'] == '1' && upper[255] == 255);
    CHECK(nextafter(1.0, 2.0) == 1.0 + 0x1p-52 && nextafter(1.0, 0.0) == 1.0 - 0x1p-53);
    CHECK(nextafter(zero, -1.0) == -0x1p-1074 && nextafter(0x1p-1074, 0) == 0 && nextafter(3.0, 3.0) == 3.0);
    CHECK(nextafterf(1.0f, 2.0f) == 1.0f + 0x1p-23f && nextafterf(-1.0f, 0.0f) == -1.0f + 0x1p-24f);
    CHECK(nextafter(0x1.fffffffffffffp1023, __builtin_inf()) == __builtin_inf() && signbit(nextafter(-0x1p-1074, 1.0)));
    return 0;
}
