//! The names of the operators without parameters.

use wedge_logic::Operator;

const NAMES: [(&str, Operator); 47] = [
    ("not", Operator::Not),
    ("inc", Operator::Inc),
    ("dec", Operator::Dec),
    ("neg", Operator::Neg),
    ("redand", Operator::Redand),
    ("redor", Operator::Redor),
    ("redxor", Operator::Redxor),
    ("iff", Operator::Iff),
    ("implies", Operator::Implies),
    ("eq", Operator::Eq),
    ("neq", Operator::Neq),
    ("ugt", Operator::Ugt),
    ("ugte", Operator::Uge),
    ("ult", Operator::Ult),
    ("ulte", Operator::Ule),
    ("sgt", Operator::Sgt),
    ("sgte", Operator::Sge),
    ("slt", Operator::Slt),
    ("slte", Operator::Sle),
    ("and", Operator::And),
    ("nand", Operator::Nand),
    ("nor", Operator::Nor),
    ("or", Operator::Or),
    ("xnor", Operator::Xnor),
    ("xor", Operator::Xor),
    ("rol", Operator::Rol),
    ("ror", Operator::Ror),
    ("sll", Operator::Sll),
    ("sra", Operator::Sra),
    ("srl", Operator::Srl),
    ("add", Operator::Add),
    ("mul", Operator::Mul),
    ("udiv", Operator::Udiv),
    ("sdiv", Operator::Sdiv),
    ("smod", Operator::Smod),
    ("urem", Operator::Urem),
    ("srem", Operator::Srem),
    ("sub", Operator::Sub),
    ("uaddo", Operator::Uaddo),
    ("saddo", Operator::Saddo),
    ("sdivo", Operator::Sdivo),
    ("umulo", Operator::Umulo),
    ("smulo", Operator::Smulo),
    ("usubo", Operator::Usubo),
    ("ssubo", Operator::Ssubo),
    ("concat", Operator::Concat),
    ("read", Operator::Read),
];

const TERNARY: [(&str, Operator); 2] = [("ite", Operator::Ite), ("write", Operator::Write)];

fn all() -> impl Iterator<Item = &'static (&'static str, Operator)> {
    NAMES.iter().chain(&TERNARY)
}

/// The operator with this name.
pub(super) fn operator(name: &str) -> Option<Operator> {
    all().find(|(n, _)| *n == name).map(|(_, operator)| *operator)
}

/// The name of an operator that has no parameters.
pub(super) fn name(operator: Operator) -> Option<&'static str> {
    all().find(|(_, op)| *op == operator).map(|(name, _)| *name)
}
