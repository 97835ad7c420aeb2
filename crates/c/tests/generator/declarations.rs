//! Types and global objects.

use super::{Generator, Lvalue};

const INTEGERS: &[&str] = &[
    "char",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned",
    "long",
    "unsigned long",
    "long long",
    "unsigned long long",
    "_Bool",
    "enum color",
];

const FLOATS: &[&str] = &["float", "double", "long double"];

impl Generator {
    pub fn integer_type(&mut self) -> String {
        if self.features.wide && self.random.chance(8) {
            return self.random.pick(&["__int128", "unsigned __int128"]).to_string();
        }
        self.random.pick(INTEGERS).to_string()
    }

    /// An arithmetic type, and whether it is a floating one.
    pub fn scalar_type(&mut self) -> (String, bool) {
        if self.features.wide && self.random.chance(15) {
            return (self.random.pick(FLOATS).to_string(), true);
        }
        (self.integer_type(), false)
    }

    fn add(&mut self, text: String, ty: &str, is_float: bool, is_bit_field: bool) {
        self.lvalues.push(Lvalue { text, is_float, is_bit_field, ty: ty.to_string() });
    }

    pub fn globals(&mut self) {
        self.line("enum color { RED, GREEN = 5, BLUE, LIGHT = 1000000 };");
        if self.features.wide {
            self.line("static unsigned long long bits_of(double d) {");
            self.line("  unsigned long long r; __builtin_memcpy(&r, &d, 8); return r; }");
        }
        for _ in 0..4 + self.random.below(5) {
            self.scalar_global();
        }
        for _ in 0..1 + self.random.below(3) {
            self.array_global();
        }
        for _ in 0..1 + self.random.below(3) {
            self.struct_global();
        }
        if self.random.chance(60) {
            self.union_global();
        }
        for _ in 0..1 + self.random.below(3) {
            self.pointer_global();
        }
        self.sizes();
    }

    fn scalar_global(&mut self) {
        let (ty, is_float) = self.scalar_type();
        let name = self.fresh("g");
        let value = self.constant(is_float);
        let storage = if self.random.chance(30) { "static " } else { "" };
        self.line(format!("{storage}{ty} {name} = {value};"));
        self.add(name, &ty, is_float, false);
    }

    fn array_global(&mut self) {
        let (ty, is_float) = self.scalar_type();
        let name = self.fresh("a");
        let length = 1 << (1 + self.random.below(3));
        if self.random.chance(30) {
            let inner = self.constant(is_float);
            self.line(format!(
                "{ty} {name}[{length}][4] = {{ {{ {inner} }}, {inner}, [1][2] = 3 }};"
            ));
            for _ in 0..3 {
                let (i, j) = (self.random.below(length), self.random.below(4));
                self.add(format!("{name}[{i}][{j}]"), &ty, is_float, false);
            }
            return;
        }
        let mut values = Vec::new();
        for _ in 0..self.random.below(length + 1) {
            values.push(self.constant(is_float));
        }
        self.line(format!("{ty} {name}[{length}] = {{ {} }};", values.join(", ")));
        for _ in 0..3 {
            let index = self.random.below(length);
            self.add(format!("{name}[{index}]"), &ty, is_float, false);
        }
        let variable = self.integer_variable();
        self.add(format!("{name}[{variable} & {}]", length - 1), &ty, is_float, false);
    }

    /// An integer lvalue, for indices; a constant before there is one.
    pub fn integer_variable(&mut self) -> String {
        let integers: Vec<&Lvalue> = self.lvalues.iter().filter(|l| !l.is_float).collect();
        match integers.len() {
            0 => "1".to_string(),
            count => integers[self.random.next() as usize % count].text.clone(),
        }
    }

    fn struct_global(&mut self) {
        let tag = self.fresh("s");
        let packed = self.random.chance(20);
        let mut fields = Vec::new();
        self.open(format!("struct {tag}"));
        for _ in 0..2 + self.random.below(5) {
            self.struct_field(&mut fields);
        }
        self.indent -= 1;
        self.line(if packed { "} __attribute__((packed));" } else { "};" });
        let (name, other) = (self.fresh("v"), self.fresh("v"));
        let first = self.random.below(100);
        self.line(format!("struct {tag} {name} = {{ {first} }}, {other};"));
        let array = self.fresh("v");
        self.line(format!("struct {tag} {array}[4];"));
        let pointer = self.fresh("p");
        self.line(format!("struct {tag} *{pointer} = &{array}[2];"));
        for (field, ty, is_float, is_bit_field) in fields {
            self.add(format!("{name}.{field}"), &ty, is_float, is_bit_field);
            let base = match self.random.below(3) {
                0 => format!("{pointer}->"),
                1 => format!("{array}[{}].", self.random.below(4)),
                _ => format!("{other}."),
            };
            self.add(format!("{base}{field}"), &ty, is_float, is_bit_field);
        }
        for object in [name, other, format!("{array}[1]"), format!("(*{pointer})")] {
            self.records.push((object, tag.clone()));
        }
    }

    /// Declares a member and lists the scalars in it: text, type, float, bit-field.
    fn struct_field(&mut self, fields: &mut Vec<(String, String, bool, bool)>) {
        let name = self.fresh("m");
        match self.random.below(6) {
            0 | 1 => {
                let widths =
                    [("int", 31), ("unsigned", 32), ("signed char", 7), ("unsigned long", 60)];
                let (ty, most) = *self.random.pick(&widths);
                let limit = if self.features.wide { most } else { most.min(31) };
                let width = 1 + self.random.below(limit);
                self.line(format!("{ty} {name} : {width};"));
                if self.random.chance(15) {
                    self.line(format!("{ty} : 0;"));
                }
                fields.push((name, ty.to_string(), false, true));
            }
            2 => {
                let (ty, is_float) = self.scalar_type();
                self.line(format!("{ty} {name}[2];"));
                fields.push((format!("{name}[1]"), ty, is_float, false));
            }
            3 => {
                let (ty, inner) = (self.integer_type(), self.fresh("m"));
                self.line(format!("struct {{ {ty} {inner}; char pad{inner}; }} {name};"));
                fields.push((format!("{name}.{inner}"), ty, false, false));
            }
            _ => {
                let (ty, is_float) = self.scalar_type();
                self.line(format!("{ty} {name};"));
                fields.push((name, ty, is_float, false));
            }
        }
    }

    fn union_global(&mut self) {
        let name = self.fresh("u");
        self.line("union {");
        let mut members = Vec::new();
        for _ in 0..2 + self.random.below(3) {
            // Reading a `_Bool` with another bit pattern than 0 or 1 would be undefined.
            let ty = match self.integer_type().as_str() {
                "_Bool" => "unsigned char".to_string(),
                other => other.to_string(),
            };
            let member = self.fresh("m");
            self.line(format!("  {ty} {member};"));
            members.push((member, ty));
        }
        self.line("  unsigned char raw[16];");
        self.line(format!("}} {name};"));
        for (member, ty) in members {
            self.add(format!("{name}.{member}"), &ty, false, false);
        }
        let byte = self.random.below(8);
        self.add(format!("{name}.raw[{byte}]"), "unsigned char", false, false);
    }

    fn pointer_global(&mut self) {
        let constant_place = |l: &&Lvalue| !l.is_bit_field && !l.text.contains(['&', '>', '*']);
        let targets: Vec<Lvalue> = self.lvalues.iter().filter(constant_place).cloned().collect();
        if targets.is_empty() {
            return;
        }
        let target = self.random.pick(&targets).clone();
        let name = self.fresh("p");
        self.line(format!("{} *{name} = &{};", target.ty, target.text));
        self.pointers.push(Lvalue { text: name.clone(), ..target.clone() });
        self.add(format!("(*{name})"), &target.ty, target.is_float, false);
    }

    /// A function that emits sizes and offsets of the types so far.
    fn sizes(&mut self) {
        let objects: Vec<String> = self.records.iter().map(|(object, _)| object.clone()).collect();
        self.open("static void sizes(void)");
        for object in objects {
            self.line(format!("emit(sizeof {object} * 100 + _Alignof(__typeof__({object})));"));
        }
        self.line("emit(sizeof(long) + sizeof(void *) * 16 + sizeof(enum color) * 256);");
        self.line(
            "emit(sizeof('a') + sizeof(L\"ab\") * 16 + sizeof(1 ? (char)1 : (short)2) * 512);",
        );
        self.close();
    }
}
