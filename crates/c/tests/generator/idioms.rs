//! Larger pieces of code with random holes: idioms that single statements do not reach.

use super::{Generator, Lvalue};

impl Generator {
    /// One idiom, in a block of its own.
    pub fn idiom(&mut self) {
        self.open("");
        match self.random.below(13) {
            0 => self.walk(),
            1 => self.duff(),
            2 => self.local_aggregate(),
            3 => self.texts(),
            4 => self.ordered_effects(),
            5 => self.chosen_object(),
            6 => self.overflow_checks(),
            7 => self.selections(),
            8 => self.record_values(),
            9 => self.function_table(),
            10 => self.bit_patterns(),
            11 => self.nested_arrays(),
            _ => self.jump_into_block(),
        }
        self.close();
    }

    fn emit_integer(&mut self, text: impl AsRef<str>) {
        self.line(format!("emit((unsigned long long)({}));", text.as_ref()));
    }

    /// Pointers that move while they are used.
    fn walk(&mut self) {
        let (ty, a, b) = (self.integer_type(), self.integer(2), self.integer(2));
        self.line(format!("{ty} w[6] = {{ {a}, {b}, 5 }}, *p = w, *q = w + 5, **pp = &p;"));
        self.line(
            "*p++ += 2; *++p = *q--; *q-- = p[-1]; (*pp)++; int d = (p - w) * 3; *(*pp)-- = d;",
        );
        self.line(
            "for (p = w; p < w + 6; p++) emit((unsigned long long)*p ^ (p != q) ^ (&*p == &w[3]));",
        );
        self.emit_integer("q - w + 2[w]");
    }

    fn duff(&mut self) {
        let count = self.integer(1);
        self.line(format!("int n = (({count}) & 15) + 1, k = (n + 3) / 4, s = 0;"));
        self.line("switch (n % 4) { case 0: do { s += n; case 3: s = s * 3 + 1; case 2: s ^= k; case 1: s -= 2; } while (--k > 0); }");
        self.emit_integer("s");
    }

    fn local_aggregate(&mut self) {
        let (a, b, c) = (self.integer(2), self.integer(2), self.integer(1));
        self.line("struct in { short x, y; }; struct out { int n; struct in i[3]; union { char c; long l; }; unsigned f : 3, : 4, h : 9; };");
        self.line(format!(
            "struct out o = {{ {a}, {{ {{ 1, {b} }}, [2].y = {c}, }}, .l = {a}, 6, {b} }};"
        ));
        self.line(format!(
            "struct out z = {{ .i[1] = {{ .y = {c} }}, .h = {b}, .n = 4 }}, *r = &o;"
        ));
        for part in [
            "o.n", "o.i[0].y", "o.i[1].x", "o.i[2].y", "o.l", "o.c", "o.f", "o.h", "z.i[1].y",
            "z.h", "z.i[2].x",
        ] {
            self.emit_integer(part);
        }
        self.line("r->i[1] = (struct in){ r->h, .y = r->f }; z = *r; z.i[0] = r->i[1];");
        self.emit_integer("z.i[0].x + z.i[1].y + __builtin_offsetof(struct out, i[2].y) * 1000");
    }

    fn texts(&mut self) {
        let index = self.integer(1);
        self.line("char s[] = \"wed\" \"ge\\tA\\x7f\", t[4] = \"long\", *u = \"\\303\\251\", m[2][4] = { \"ab\", { 'c' } };");
        self.line("int wide[] = { L\"x\\u20ac\"[1], L'\\377', u'\\xffff', U\"\\x10ffff\"[0], 'ab', '\\377' };");
        self.line("const unsigned char *f = (const unsigned char *)__func__;");
        self.emit_integer(format!("s[({index}) & 7] + sizeof s * 3 + t[3] + (unsigned char)u[1] + m[0][2] + m[1][0] + f[0]"));
        self.emit_integer(format!("wide[(unsigned)({index}) % 6] + sizeof m + u[0]"));
        self.emit_integer(
            "__builtin_strlen(s) + (__builtin_strcmp(s, \"wedge\") > 0) + (__builtin_strchr(s, 'g') - s)",
        );
    }

    fn ordered_effects(&mut self) {
        let (a, b, c) = (self.integer(1), self.integer(1), self.integer(1));
        self.line(format!("int x = {a}, y = {b}, z = {c}, r;"));
        self.line(
            "r = (x++ && y--) || z++; emit((unsigned long long)(r + x * 3 + y * 5 + z * 7));",
        );
        self.line("r = x > y ? (y += 2, z = y * x) : (x -= 1) ? z-- : 4; emit((unsigned long long)(r ^ x ^ y ^ z));");
        self.line("r = ({ int h = x; x = y; y = h; h * 2; }) ?: (z ? 9 : 8); emit((unsigned long long)(r - x + y));");
        self.line("for (int i = 0, j = 9; i < j; i++, j -= 2) r = (r << 1) ^ (i * j); emit((unsigned long long)r);");
        self.line("if (!(x++ > 2 && !(y-- < 3)) || (z = r)) r++; else r--; emit((unsigned long long)(r + z));");
    }

    fn chosen_object(&mut self) {
        let (ty, a, b, c) =
            (self.integer_type(), self.integer(1), self.integer(1), self.integer(1));
        self.line(format!("{ty} x = {a}, y = {b}, *p = &x; *(({c}) & 1 ? &x : &y) += 5;"));
        self.line(
            "*(p == &x ? &y : p) -= x; p = x < y ? &x : 0; if (p && *p) *p ^= 3; if (!p) y++;",
        );
        self.emit_integer("x");
        self.emit_integer("y");
    }

    fn overflow_checks(&mut self) {
        let (ty, a, b) = (self.integer_type(), self.integer(2), self.integer(2));
        let ty = match ty.as_str() {
            "_Bool" | "enum color" | "__int128" | "unsigned __int128" => "short".to_string(),
            _ => ty,
        };
        let op = *self.random.pick(&["add", "sub", "mul"]);
        self.line(format!("{ty} r = 1; long long a = {a}; int b = {b};"));
        self.emit_integer(format!("__builtin_{op}_overflow(a, b, &r)"));
        self.emit_integer("r");
        self.line("int i = 3; unsigned long ul = 4;");
        self.emit_integer(format!(
            "__builtin_s{op}_overflow(a, b, &i) + 2 * __builtin_u{op}l_overflow(a, b, &ul)"
        ));
        self.emit_integer("i + ul + __builtin_ffsll(a) + __builtin_parity(b) + __builtin_ctz(b | 8) + __builtin_clrsb(b)");
    }

    fn selections(&mut self) {
        let (a, b) = (self.pure(2), self.integer(1));
        self.line(format!("__auto_type v = {}; __typeof__(v) w = v; v = v == w;", a.0));
        self.emit_integer("_Generic(v, int: 1, unsigned: 2, long: 3, unsigned long: 4, long long: 5, unsigned long long: 6, default: 7)");
        self.emit_integer(format!("_Generic(1 ? (short)1 : ({b}), int: 1, unsigned: 2, default: 3) + __builtin_types_compatible_p(int, __typeof__(+({b})))"));
        self.emit_integer("__builtin_choose_expr(sizeof v > 4, sizeof v, 1u) + __builtin_constant_p(3 + 4) + (v == 1)");
    }

    /// Records as arguments, results and rvalues.
    fn record_values(&mut self) {
        let records = self.records.clone();
        let (object, tag) = self.random.pick(&records).clone();
        let fields: Vec<Lvalue> = self
            .lvalues
            .iter()
            .filter(|l| l.text.starts_with(&format!("{object}.")) && !l.is_float)
            .cloned()
            .collect();
        self.line(format!("struct {tag} t = echo_{tag}({object}, 1), a[2] = {{ t, {object} }};"));
        let Some(field) = fields.first() else { return };
        let member = field.text[object.len() + 1..].to_string();
        let value = self.integer(1);
        self.line(format!("t.{member} = {value}; a[0] = a[1] = t;"));
        self.emit_integer(format!("echo_{tag}(t, 2).{member}"));
        self.emit_integer(format!("a[0].{member}"));
        self.emit_integer(format!("(a[1].{member}++, a[1]).{member}"));
        self.emit_integer(format!("(1 ? echo_{tag}(a[1], 0) : t).{member}"));
    }

    fn function_table(&mut self) {
        let functions: Vec<_> =
            self.functions.iter().filter(|f| !f.is_pure && f.parameters == 1).cloned().collect();
        let index = self.integer(1);
        let first = functions.first().map_or("unary_a".to_string(), |f| f.name.clone());
        self.line(format!(
            "long long (*table[4])(long long) = {{ unary_a, [2] = unary_b, {first} }};"
        ));
        self.line("long long (**slot)(long long) = table; table[1] = &unary_b;");
        self.emit_integer(format!(
            "table[({index}) & 1](3) + (*slot[2])(4) + (**slot)(5) + (table[2] == unary_b)"
        ));
    }

    fn bit_patterns(&mut self) {
        let a = self.integer(2);
        self.line("union { unsigned u; int i; unsigned char b[4]; struct { unsigned lo : 5, mid : 13, hi : 14; } f; } x = { 0 };");
        self.line(format!("x.u = {a}; emit(x.f.mid); x.f.hi += 3; x.b[2] ^= 0x55; x.f.lo--;"));
        self.emit_integer("x.i");
        self.line("unsigned char raw[8]; long long v = x.i; char *from = (char *)&v;");
        self.line("for (int i = 0; i < 8; i++) raw[7 - i] = from[i];");
        self.emit_integer("*(unsigned short *)(raw + 2) + *(short *)&raw[5]");
    }

    fn nested_arrays(&mut self) {
        let (a, n) = (self.integer(1), 2 + self.random.below(3));
        self.line(format!(
            "short m[3][{n}] = {{ {{ {a} }}, 7, [2] = {{ [1] = {a} }} }}, (*row)[{n}] = m + 1;"
        ));
        self.line("row[0][0] += 2; (*row)[1] = row[1][1]; *(*(m + 2) + 0) = sizeof *row; row++;");
        self.emit_integer(format!(
            "m[1][1] + (*row)[0] * 3 + row[-1][0] + (&m[2][1] - &m[0][0]) + m[0][{n} + 1]"
        ));
        self.line(format!("typedef int grid[{n}]; grid g = {{ [0 ... {}] = 6 }}, *h = &g;", n - 1));
        self.emit_integer("(*h)[1] + sizeof(grid) + sizeof h[0] + (long)(h + 1) - (long)h");
    }

    fn jump_into_block(&mut self) {
        let (a, label) = (self.integer(1), self.fresh("inside"));
        self.line(format!("int k = ({a}) & 3, s = 1; if (k) goto {label}; s = 5;"));
        self.line(format!("while (s < 60) {{ s += 7; {label}: s = s * 2 + k; if (s % 5 == 0) break; else if (s % 7 == 1) continue; k++; }}"));
        self.emit_integer("s * 10 + k");
    }

    /// Functions that the idioms call.
    pub fn idiom_functions(&mut self) {
        self.line("static long long unary_a(long long x) { return x * 3 - 1; }");
        self.line("static long long unary_b(long long x) { return x ^ 21; }");
        let mut tags: Vec<String> = self.records.iter().map(|(_, tag)| tag.clone()).collect();
        tags.dedup();
        for tag in tags {
            self.line(format!(
                "static struct {tag} echo_{tag}(struct {tag} r, int n) {{ return n > 0 ? echo_{tag}(r, n - 1) : r; }}"
            ));
        }
    }
}
