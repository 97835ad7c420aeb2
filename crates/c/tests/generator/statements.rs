//! Statements.

use super::{Generator, Lvalue};

impl Generator {
    fn local(&mut self) {
        let (ty, is_float) = self.scalar_type();
        let name = self.fresh("x");
        let (value, from_float) = self.pure(2);
        let value = if from_float && !is_float { self.integer(1) } else { value };
        let storage = if self.random.chance(10) { "register " } else { "" };
        self.line(format!("{storage}{ty} {name} = {value};"));
        // Later code may be jumped over, but not into, so the local is always initialised.
        let is_bit_field = !storage.is_empty();
        self.locals.push(Lvalue { text: name, is_float, is_bit_field, ty });
    }

    fn assignment(&mut self) {
        let target = self.lvalue();
        let (value, is_float) = self.pure(3);
        let text = &target.text;
        let value = if is_float && !target.is_float { self.integer(2) } else { value };
        let line = match self.random.below(6) {
            0 if !target.is_float => {
                let op = *self.random.pick(&["&", "|", "^"]);
                let value = self.integer(2);
                format!("{text} {op}= {value};")
            }
            1 if !target.is_float => {
                let op = *self.random.pick(&["<<", ">>"]);
                let value = self.integer(1);
                format!("{text} {op}= ({value}) & 7;")
            }
            2 if !target.is_float => {
                let op = *self.random.pick(&["/", "%"]);
                let value = self.integer(1);
                format!("{text} {op}= (int)(({value}) & 15) + 1;")
            }
            3 => {
                let op = *self.random.pick(&["+", "-", "*"]);
                if !target.is_float {
                    let value = self.integer(2);
                    format!("{text} {op}= {value};")
                } else {
                    format!("{text} {op}= {value};")
                }
            }
            _ => format!("{text} = {value};"),
        };
        self.line(line);
    }

    /// One side effect whose value is used.
    fn effect(&mut self) {
        let (a, b) = (self.lvalue(), self.lvalue());
        if a.text == b.text || a.is_float || b.is_float || shares_storage(&a, &b) {
            return self.assignment();
        }
        let (x, y) = (&a.text, &b.text);
        let value = self.integer(1);
        let line = match self.random.below(6) {
            0 => format!("{x} = {y}++;"),
            1 => format!("{x} = --{y};"),
            2 => format!("{x} = {y} = {value};"),
            3 => format!("{x} = ({y} += 3, {y});"),
            4 => format!("emit((unsigned long long)({y} -= 7));"),
            _ => format!("emit((unsigned long long)({y}++));"),
        };
        self.line(line);
    }

    fn condition(&mut self) -> String {
        let value = self.integer(2);
        let lvalue = self.lvalue();
        if lvalue.is_float || self.random.chance(60) {
            return value;
        }
        let (x, rest) = (lvalue.text, self.integer(1));
        let forms = [
            format!("({x}++ > 3) && ({rest})"),
            format!("({value}) || (--{x} != 5)"),
            format!("({rest}) ? ({x} = 4) : ({x}-- < 9)"),
            format!("(({x} = {rest}), ({x} & 1))"),
        ];
        self.random.pick(&forms).clone()
    }

    pub fn block(&mut self, depth: usize) {
        let visible = self.locals.len();
        for _ in 0..1 + self.random.below(3) {
            self.statement(depth);
        }
        self.locals.truncate(visible);
    }

    pub fn statement(&mut self, depth: usize) {
        if depth == 0 {
            return self.assignment();
        }
        match self.random.below(20) {
            0..=3 => self.assignment(),
            4 | 5 => self.effect(),
            6 => self.local(),
            7 | 8 => self.conditional_statement(depth),
            9 => self.counted_loop(depth),
            10 => self.while_loop(depth),
            11 => self.switch(depth),
            12 => self.jumps(depth),
            13 => self.call(),
            14 => self.copies(),
            15 => self.pointer_work(),
            16..=18 => self.idiom(),
            _ => {
                let lvalue = self.lvalue();
                self.emit(&lvalue);
            }
        }
    }

    fn conditional_statement(&mut self, depth: usize) {
        let condition = self.condition();
        self.open(format!("if ({condition})"));
        self.block(depth - 1);
        self.close();
        if self.random.chance(50) {
            self.open("else");
            self.block(depth - 1);
            self.close();
        }
    }

    fn counted_loop(&mut self, depth: usize) {
        if self.loops >= 2 {
            return self.assignment();
        }
        let (name, bound) = (self.fresh("i"), 1 + self.random.below(5));
        let ty = *self.random.pick(&["int", "unsigned char", "long", "short"]);
        self.open(format!("for ({ty} {name} = 0; {name} < {bound}; {name}++)"));
        self.loops += 1;
        self.block(depth - 1);
        if self.random.chance(30) {
            let value = self.integer(1);
            let word = *self.random.pick(&["break", "continue"]);
            self.line(format!("if (({value}) & 1) {word};"));
            self.block(depth - 1);
        }
        self.loops -= 1;
        self.line(format!("emit((unsigned long long){name});"));
        self.close();
    }

    fn while_loop(&mut self, depth: usize) {
        if self.loops >= 2 {
            return self.effect();
        }
        let (name, bound) = (self.fresh("n"), 1 + self.random.below(5));
        self.open("");
        self.line(format!("int {name} = {bound};"));
        let condition = self.integer(1);
        let is_do = self.random.chance(40);
        if is_do {
            self.open("do");
        } else {
            self.open(format!("while ({name}-- > 0 && ({condition}))"));
        }
        self.loops += 1;
        self.block(depth - 1);
        self.loops -= 1;
        if is_do {
            self.indent -= 1;
            self.line(format!("}} while (--{name} > 0 && ({condition}));"));
        } else {
            self.close();
        }
        self.close();
    }

    fn switch(&mut self, depth: usize) {
        let value = self.integer(2);
        self.open(format!("switch (({value}) & 7)"));
        let mut next = 0;
        while next < 8 {
            let width = self.random.below(3);
            if width > 0 && next + width < 8 {
                self.line(format!("case {next} ... {}:", next + width));
            } else {
                self.line(format!("case {next}:"));
            }
            next += width + 1 + self.random.below(3);
            self.block(depth - 1);
            if self.random.chance(60) {
                self.line("break;");
            }
        }
        if self.random.chance(50) {
            self.line("default:");
            self.block(depth - 1);
        }
        self.close();
    }

    fn jumps(&mut self, depth: usize) {
        let (label, count) = (self.fresh("l"), self.fresh("n"));
        let visible = self.locals.len();
        let value = self.integer(1);
        self.open("");
        self.line(format!("int {count} = 0;"));
        self.line(format!("{label}_back:"));
        self.line(format!("if ({count}++ > 2) goto {label}_end;"));
        self.statement(depth - 1);
        self.line(format!("if (({value}) & 1) goto {label}_back;"));
        self.statement(depth - 1);
        self.line(format!("{label}_end: ;"));
        self.close();
        self.locals.truncate(visible);
    }

    fn call(&mut self) {
        if self.functions.is_empty() {
            return self.assignment();
        }
        let functions = self.functions.clone();
        let function = self.random.pick(&functions);
        let arguments: Vec<String> = (0..function.parameters).map(|_| self.integer(1)).collect();
        let call = format!("{}({})", function.name, arguments.join(", "));
        if !function.is_pure && self.random.chance(30) {
            let pointer = self.fresh("f");
            let types = vec!["long long"; function.parameters].join(", ");
            self.line(format!("long long (*{pointer})({types}) = {};", function.name));
            self.line(format!("emit((unsigned long long)(*{pointer})({}));", arguments.join(", ")));
            return;
        }
        self.line(format!("emit((unsigned long long){call});"));
    }

    fn copies(&mut self) {
        let records = self.records.clone();
        let (to, tag) = self.random.pick(&records).clone();
        let others: Vec<_> = records.iter().filter(|(_, other)| *other == tag).collect();
        let from = others[self.random.below(others.len())].0.clone();
        match self.random.below(4) {
            0 => {
                let name = self.fresh("t");
                self.line(format!("struct {tag} {name} = {from}; {to} = {name};"));
            }
            1 => {
                let condition = self.integer(1);
                self.line(format!("{to} = ({condition}) ? {from} : {to};"));
            }
            2 => self.line(format!("__builtin_memmove(&{to}, &{from}, sizeof {to});")),
            _ => self.line(format!("{to} = *({{ struct {tag} *q_ = &{from}; q_; }});")),
        }
    }

    fn pointer_work(&mut self) {
        if self.pointers.is_empty() {
            return self.assignment();
        }
        let pointers = self.pointers.clone();
        let pointer = self.random.pick(&pointers).clone();
        let same_type = |l: &Lvalue| l.ty == pointer.ty && !l.is_bit_field;
        let targets: Vec<Lvalue> = self
            .lvalues
            .iter()
            .filter(|l| same_type(l) && !l.text.starts_with("(*"))
            .cloned()
            .collect();
        let (name, ty) = (&pointer.text, &pointer.ty);
        if targets.is_empty() || self.random.chance(40) {
            let array = self.fresh("w");
            let value = self.integer(1);
            self.line(format!(
                "{ty} {array}[8] = {{ 1, 2, [5] = 3 }}; {ty} *{array}p = {array} + (({value}) & 3);"
            ));
            self.line(format!("{array}p[2] = *{name}; *({array}p + 1) = {array}p[-0];"));
            self.line(format!(
                "emit((unsigned long long)({array}p - {array}) + ({array}p < &{array}[7]));"
            ));
            let element =
                Lvalue { text: format!("{array}[{array}p - {array} + 1]"), ..pointer.clone() };
            return self.emit(&element);
        }
        let target = self.random.pick(&targets).clone();
        self.line(format!("{name} = &{};", target.text));
    }
}

/// Whether two lvalues may be parts of one object, as far as their names tell.
fn shares_storage(a: &Lvalue, b: &Lvalue) -> bool {
    let base = |l: &Lvalue| l.text.split(['.', '[', '-', ')']).next().unwrap_or("").to_string();
    let through_pointer = |l: &Lvalue| l.text.contains(['*', '>', '&']);
    base(a) == base(b) || through_pointer(a) || through_pointer(b)
}
