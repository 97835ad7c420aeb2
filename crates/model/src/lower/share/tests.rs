use super::*;
use wedge_logic::{BitVec, Evaluator, Sort, Value};

const WIDTH: u32 = 8;

/// A generator of numbers (Marsaglia's xorshift).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % bound
    }
}

fn shared(terms: &mut TermStore, roots: &[Term]) -> Option<Vec<Term>> {
    let mut sharing = Sharing::find(terms, roots)?;
    sharing.build(terms);
    Some(roots.iter().map(|&root| sharing.image_of(terms, root)).collect())
}

fn count(terms: &TermStore, roots: &[Term], op: Op) -> usize {
    terms.cone(roots).into_iter().filter(|&term| terms.op(term) == op).count()
}

fn variables(terms: &mut TermStore, names: &[&str], width: u32) -> Vec<Term> {
    names.iter().map(|name| terms.var(*name, Sort::Bv(width))).collect()
}

/// Nested branches, each with signed divisions of its own by the same constants.
#[test]
fn exclusive_divisions_become_one() {
    let mut terms = TermStore::new();
    let conditions = variables(&mut terms, &["c", "d", "e"], 1);
    let words = variables(&mut terms, &["x", "y"], 32);
    let (five, seven) = (terms.number(32, 5), terms.number(32, 7));
    let mut next = words[0];
    for (index, &condition) in conditions.iter().enumerate() {
        let offset = terms.number(32, 1000 + index as u64);
        let sum = terms.add(words[index % 2], offset);
        let quotient = terms.sdiv(sum, five);
        let remainder = terms.srem(quotient, seven);
        next = terms.ite(condition, remainder, next);
    }
    assert_eq!((count(&terms, &[next], Op::Udiv), count(&terms, &[next], Op::Urem)), (3, 3));
    let new = shared(&mut terms, &[next]).expect("there is something to share");
    assert_eq!((count(&terms, &new, Op::Udiv), count(&terms, &new, Op::Urem)), (1, 1));
}

/// What is read on both sides, by a condition or by another root is needed at once.
#[test]
fn divisions_that_matter_together_stay() {
    let mut terms = TermStore::new();
    let c = terms.var("c", Sort::Bv(1));
    let words = variables(&mut terms, &["x", "y"], 32);
    let five = terms.number(32, 5);
    let quotients: Vec<Term> = words.iter().map(|&word| terms.udiv(word, five)).collect();
    let next = terms.ite(c, quotients[0], quotients[1]);
    assert!(shared(&mut terms, &[next]).is_some());
    assert!(shared(&mut terms, &[next, quotients[0]]).is_none());
    let both = terms.add(quotients[0], quotients[1]);
    let mixed = terms.ite(c, both, quotients[1]);
    assert!(shared(&mut terms, &[mixed]).is_none());
}

/// Divisions in the opposite order: sharing both pairs would make each read the other.
#[test]
fn nothing_reads_itself() {
    let mut terms = TermStore::new();
    let c = terms.var("c", Sort::Bv(1));
    let words = variables(&mut terms, &["x", "y"], 32);
    let (five, seven) = (terms.number(32, 5), terms.number(32, 7));
    let first = terms.udiv(words[0], five);
    let first = terms.urem(first, seven);
    let second = terms.urem(words[1], seven);
    let second = terms.udiv(second, five);
    let next = terms.ite(c, first, second);
    let new = shared(&mut terms, &[next]).expect("one pair can be shared");
    assert_eq!(count(&terms, &new, Op::Udiv) + count(&terms, &new, Op::Urem), 3);
}

/// Random terms over words of eight bits have the same values before and after.
#[test]
fn values_stay() {
    let mut with_sharing = 0;
    for seed in 1..=400u64 {
        let mut numbers = Numbers(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        let mut terms = TermStore::new();
        let inputs = variables(&mut terms, &["x", "y", "z"], WIDTH);
        let roots = random_roots(&mut terms, &inputs, &mut numbers);
        let Some(new) = shared(&mut terms, &roots) else { continue };
        with_sharing += 1;
        let mut evaluator = Evaluator::new(&terms);
        for _ in 0..100 {
            for &input in &inputs {
                let value = numbers.below(256) as u64;
                evaluator.assign(input, Value::Bv(BitVec::new(WIDTH, value)));
            }
            for (&old, &new) in roots.iter().zip(&new) {
                let before = evaluator.eval_bv(old).expect("all is assigned").clone();
                assert_eq!(&before, evaluator.eval_bv(new).expect("all is assigned"), "{seed}");
            }
        }
    }
    assert!(with_sharing > 100, "{with_sharing}");
}

/// Two trees of arithmetic with many conditionals.
fn random_roots(terms: &mut TermStore, inputs: &[Term], numbers: &mut Numbers) -> Vec<Term> {
    (0..2).map(|_| random_tree(terms, inputs, numbers, 5)).collect()
}

fn random_tree(
    terms: &mut TermStore,
    inputs: &[Term],
    numbers: &mut Numbers,
    depth: usize,
) -> Term {
    if depth == 0 {
        let offset = terms.number(WIDTH, numbers.below(256) as u64);
        return terms.add(inputs[numbers.below(inputs.len())], offset);
    }
    let a = random_tree(terms, inputs, numbers, depth - 1);
    let divisor = terms.number(WIDTH, [3, 5, 253][numbers.below(3)]);
    match numbers.below(10) {
        0 => terms.sdiv(a, divisor),
        1 => terms.srem(a, divisor),
        2 => terms.udiv(a, divisor),
        3 => {
            let b = random_tree(terms, inputs, numbers, depth / 2);
            terms.urem(a, b)
        }
        4 => {
            let b = random_tree(terms, inputs, numbers, depth / 2);
            terms.mul(a, b)
        }
        _ => {
            let b = random_tree(terms, inputs, numbers, depth - 1);
            let c = random_tree(terms, inputs, numbers, depth / 3);
            let condition = terms.slt(c, if numbers.below(3) == 0 { a } else { inputs[0] });
            terms.ite(condition, a, b)
        }
    }
}
