//! Random valid BTOR2 text over all operators.

use std::fmt::Write;

/// Numbers from which everything is drawn.
pub struct Genes {
    state: u64,
}

impl Genes {
    pub fn new(seed: u64) -> Genes {
        Genes { state: seed | 1 }
    }
    pub fn next(&mut self) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        self.state >> 11
    }
    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }
    pub fn chance(&mut self, one_in: u64) -> bool {
        self.next().is_multiple_of(one_in)
    }
}

/// Operators from n x n to n.
const WORDS: [&str; 19] = [
    "and", "nand", "nor", "or", "xnor", "xor", "rol", "ror", "sll", "sra", "srl", "add", "mul",
    "udiv", "sdiv", "smod", "urem", "srem", "sub",
];

/// Operators from n x n to 1.
const RELATIONS: [&str; 17] = [
    "eq", "neq", "ugt", "ugte", "ult", "ulte", "sgt", "sgte", "slt", "slte", "uaddo", "saddo",
    "sdivo", "umulo", "smulo", "usubo", "ssubo",
];

const SAME: [&str; 4] = ["not", "inc", "dec", "neg"];
const REDUCTIONS: [&str; 3] = ["redand", "redor", "redxor"];

/// The width of the elements of the one array sort; its indices have width 2.
const ELEMENT: u32 = 3;
const WIDTHS: [u32; 5] = [1, 2, 3, 5, 8];

pub struct Generator {
    pub text: String,
    genes: Genes,
    next_id: u64,
    /// Ids of the bit-vector sorts by width, and of the array sort.
    sorts: Vec<(u32, u64)>,
    array_sort: u64,
    words: Vec<(u64, u32)>,
    arrays: Vec<u64>,
    states: Vec<(u64, Option<u32>)>,
}

/// A valid model with one to three bads.
pub fn random_model(seed: u64) -> String {
    let mut generator = Generator::new(seed);
    generator.declare();
    let steps = 5 + generator.genes.below(40);
    (0..steps).for_each(|_| generator.operation());
    generator.finish();
    generator.text
}

impl Generator {
    fn new(seed: u64) -> Generator {
        let mut generator = Generator {
            text: String::from("; a random model\n"),
            genes: Genes::new(seed),
            next_id: 1,
            sorts: Vec::new(),
            array_sort: 0,
            words: Vec::new(),
            arrays: Vec::new(),
            states: Vec::new(),
        };
        for width in WIDTHS {
            let id = generator.line(format!("sort bitvec {width}"));
            generator.sorts.push((width, id));
        }
        let (index, element) = (generator.sort(2), generator.sort(ELEMENT));
        generator.array_sort = generator.line(format!("sort array {index} {element}"));
        generator
    }

    fn line(&mut self, rest: String) -> u64 {
        let id = self.next_id;
        self.next_id += 1 + self.genes.next() % 2;
        let comment = if self.genes.chance(6) { " ; a comment" } else { "" };
        let _ = writeln!(self.text, "{id} {rest}{comment}");
        id
    }

    /// The id of a bit-vector sort, which is declared if it is new.
    fn sort(&mut self, width: u32) -> u64 {
        if let Some((_, id)) = self.sorts.iter().find(|(w, _)| *w == width) {
            return *id;
        }
        let id = self.line(format!("sort bitvec {width}"));
        self.sorts.push((width, id));
        id
    }

    fn declare(&mut self) {
        let zero = self.constant(ELEMENT);
        for i in 0..1 + self.genes.below(3) {
            let width = WIDTHS[self.genes.below(WIDTHS.len())];
            let sort = self.sort(width);
            let id = self.line(format!("input {sort} in{i}"));
            self.words.push((id, width));
        }
        for i in 0..2 + self.genes.below(3) {
            let width = WIDTHS[self.genes.below(WIDTHS.len())];
            let sort = self.sort(width);
            let value = self.constant(width);
            let id = self.line(format!("state {sort} s{i}"));
            self.words.push((id, width));
            self.states.push((id, Some(width)));
            if self.genes.chance(2) {
                self.line(format!("init {sort} {id} {value}"));
            }
        }
        let sort = self.array_sort;
        for _ in 0..2 {
            let id = self.line(format!("state {sort}"));
            self.states.push((id, None));
            match (self.genes.below(4), self.arrays.first().copied()) {
                (0, _) => drop(self.line(format!("init {sort} {id} {zero}"))),
                (1, Some(earlier)) => drop(self.line(format!("init {sort} {id} {earlier}"))),
                _ => {}
            }
            self.arrays.push(id);
        }
    }

    fn constant(&mut self, width: u32) -> u64 {
        let sort = self.sort(width);
        let value = self.genes.next() & ((1 << width) - 1);
        let id = match self.genes.below(6) {
            0 => self.line(format!("one {sort}")),
            1 => self.line(format!("ones {sort}")),
            2 => self.line(format!("zero {sort}")),
            3 => self.line(format!("const {sort} {value:0w$b}", w = width as usize)),
            4 => self.line(format!("constd {sort} {value}")),
            _ => self.line(format!("consth {sort} {value:x}")),
        };
        self.words.push((id, width));
        id
    }

    fn word(&mut self) -> (u64, u32) {
        self.words[self.genes.below(self.words.len())]
    }

    /// An operand of the width, perhaps negated.
    fn operand(&mut self, width: u32) -> String {
        let (id, given) = self.word();
        let sort = self.sort(width);
        let id = match given.cmp(&width) {
            std::cmp::Ordering::Equal => id,
            std::cmp::Ordering::Less => {
                let kind = if self.genes.chance(2) { "uext" } else { "sext" };
                self.line(format!("{kind} {sort} {id} {}", width - given))
            }
            std::cmp::Ordering::Greater => {
                let low = self.genes.next() as u32 % (given - width + 1);
                self.line(format!("slice {sort} {id} {} {low}", low + width - 1))
            }
        };
        if self.genes.chance(4) { format!("-{id}") } else { id.to_string() }
    }

    fn array(&mut self) -> u64 {
        self.arrays[self.genes.below(self.arrays.len())]
    }

    fn operation(&mut self) {
        let width = self.word().1;
        let sort = self.sort(width);
        let (a, b, bit) = (self.operand(width), self.operand(width), self.sort(1));
        let pick = self.genes.below(1 << 20);
        let (id, width) = match self.genes.below(14) {
            0 => (self.line(format!("{} {sort} {a}", SAME[pick % 4])), width),
            1 => (self.line(format!("{} {bit} {a}", REDUCTIONS[pick % 3])), 1),
            2..=5 => (self.line(format!("{} {sort} {a} {b}", WORDS[pick % 19])), width),
            6 | 7 => (self.line(format!("{} {bit} {a} {b}", RELATIONS[pick % 17])), 1),
            8 => {
                let (p, q) = (self.operand(1), self.operand(1));
                let name = ["iff", "implies"][self.genes.below(2)];
                (self.line(format!("{name} {bit} {p} {q}")), 1)
            }
            9 => {
                let p = self.operand(1);
                (self.line(format!("ite {sort} {p} {a} {b}")), width)
            }
            10 if width <= 8 => {
                let sum = self.sort(2 * width);
                (self.line(format!("concat {sum} {a} {b}")), 2 * width)
            }
            _ => return self.array_operation(),
        };
        self.words.push((id, width));
    }

    fn array_operation(&mut self) {
        let (a, b, sort) = (self.array(), self.array(), self.array_sort);
        match self.genes.below(4) {
            0 => {
                let (i, e) = (self.operand(2), self.operand(ELEMENT));
                let id = self.line(format!("write {sort} {a} {i} {e}"));
                self.arrays.push(id);
            }
            1 => {
                let p = self.operand(1);
                let id = self.line(format!("ite {sort} {p} {a} {b}"));
                self.arrays.push(id);
            }
            2 => {
                let (bit, name) = (self.sort(1), ["eq", "neq"][self.genes.below(2)]);
                let id = self.line(format!("{name} {bit} {a} {b}"));
                self.words.push((id, 1));
            }
            _ => {
                let (i, element) = (self.operand(2), self.sort(ELEMENT));
                let id = self.line(format!("read {element} {a} {i}"));
                self.words.push((id, ELEMENT));
            }
        }
    }

    fn finish(&mut self) {
        for (state, width) in self.states.clone() {
            if self.genes.chance(5) {
                continue;
            }
            let (sort, value) = match width {
                Some(width) => (self.sort(width), self.operand(width)),
                None => (self.array_sort, self.array().to_string()),
            };
            self.line(format!("next {sort} {state} {value}"));
        }
        for _ in 0..self.genes.below(2) {
            let bit = self.operand(1);
            self.line(format!("constraint {bit}"));
        }
        for i in 0..1 + self.genes.below(3) {
            let bit = self.operand(1);
            self.line(format!("bad {bit} property{i}"));
        }
        let (word, _) = self.word();
        self.line(format!("output {word} out"));
    }
}
