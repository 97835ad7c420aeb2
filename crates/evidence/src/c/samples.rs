//! Contracts of recursive functions that some runs of a program suggest.
//!
//! A program that reads inputs has many runs. What its recursive functions are called with and give
//! in some of them suggests relations that may hold in all: the result is a sum of parameters, or
//! lies between two numbers. Whether they do is found out by whoever asks ([`super::modular`]): from
//! the strongest to the weakest, each proposal is a contract for every recursive function.

use super::contracts::{
    Contract, Parameter, first_statement, has_recursion, parameters, text, value,
};
use std::collections::{BTreeMap, BTreeSet};
use wedge_c::Properties;
use wedge_c::interp::{Choice, Limits, Oracle, run};
use wedge_c::typed::{FuncId, Program};
use wedge_c::types::Ty;

/// Inputs, repeated as often as there are calls for them: small numbers, alone and against each other.
/// Chosen on the recursive programs of SV-COMP, where larger ones only take longer.
const INPUTS: [&[i128]; 16] = [
    &[0],
    &[1],
    &[2],
    &[3],
    &[4],
    &[6],
    &[9],
    &[13],
    &[-1],
    &[1, 2],
    &[5, 1],
    &[0, 3],
    &[3, 0],
    &[2, 5, 1],
    &[-2, 4],
    &[100, 7],
];
/// Longer runs are not followed.
const STEPS: u64 = 20_000;
/// A result of more different values is not said to lie between two numbers.
const VALUES: usize = 40;

/// What a function was called with and gave, its parameters first.
type Tuples = BTreeSet<Vec<i128>>;

/// Proposals for the contracts of all recursive functions, the strongest first.
pub fn proposals(
    program: &Program,
    properties: &Properties,
    stop: &dyn Fn() -> bool,
) -> Vec<Vec<Contract>> {
    if !has_recursion(program) {
        return Vec::new();
    }
    let mut functions: BTreeMap<FuncId, (Tuples, Tuples)> = BTreeMap::new();
    for inputs in INPUTS {
        if stop() {
            return Vec::new();
        }
        let mut oracle = Given { inputs, next: 0, stop };
        let limits = Limits { steps: STEPS, calls: true, ..Limits::default() };
        let run = run(program, properties, &mut oracle, limits);
        let Some(seen) = run.seen else { continue };
        for (id, calls) in seen.recursive() {
            let Some(body) = program.function(id).body.as_ref() else { return Vec::new() };
            let parameters = parameters(program, body);
            let result = result(program, id);
            let (entered, returned) = functions.entry(id).or_default();
            let arguments = |bits: &[Option<u128>]| -> Option<Vec<i128>> {
                parameters.iter().map(|p| value(program, p.ty, *bits.get(p.index)?)).collect()
            };
            entered.extend(calls.entered.iter().filter_map(|bits| arguments(bits)));
            for (bits, gave) in &calls.returned {
                let gave = result.and_then(|ty| value(program, ty, *gave));
                if let (Some(mut tuple), Some(gave)) = (arguments(bits), gave) {
                    tuple.push(gave);
                    returned.insert(tuple);
                }
            }
        }
    }
    let mut proposals = Vec::new();
    for shape in SHAPES {
        for bounded in [false, true] {
            let contract = |(&id, seen): (&FuncId, &(Tuples, Tuples))| {
                contract(program, id, seen, shape, bounded)
            };
            let contracts: Vec<Contract> = functions.iter().filter_map(contract).collect();
            let says_something = contracts.iter().any(|contract| contract.ensures != "1");
            if says_something && !proposals.contains(&contracts) {
                proposals.push(contracts);
            }
        }
    }
    proposals
}

/// Gives inputs from a list.
struct Given<'a> {
    inputs: &'a [i128],
    next: usize,
    stop: &'a dyn Fn() -> bool,
}

impl Oracle for Given<'_> {
    fn choose(&mut self, choice: &Choice) -> u128 {
        let input = self.inputs[self.next % self.inputs.len()];
        self.next += 1;
        input as u128 & (u128::MAX >> (128 - choice.width.clamp(1, 128)))
    }

    fn wants_stop(&mut self, _: u64) -> bool {
        (self.stop)()
    }
}

/// What may be said about results.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    Equal,
    Between,
    AtMost,
    AtLeast,
    NotBelowParameter,
}

const SHAPES: [Shape; 5] =
    [Shape::Equal, Shape::Between, Shape::AtMost, Shape::AtLeast, Shape::NotBelowParameter];

fn result(program: &Program, id: FuncId) -> Option<Ty> {
    let signature = program.types.signature(program.function(id).ty)?;
    let format = program.types.int_format(signature.result)?;
    (format.width <= 64).then_some(signature.result)
}

fn contract(
    program: &Program,
    id: FuncId,
    (entered, returned): &(Tuples, Tuples),
    shape: Shape,
    bounded: bool,
) -> Option<Contract> {
    let function = program.function(id);
    let body = function.body.as_ref().filter(|_| !function.is_library)?;
    let all = parameters(program, body);
    let ensures = result(program, id).and_then(|ty| ensured(program, &all, ty, returned, shape));
    let lower = |(index, parameter): (usize, &Parameter)| -> Option<String> {
        let lowest = entered.iter().map(|tuple| tuple[index]).min()?;
        let is_telling = (0..=1).contains(&lowest);
        let bound = text(program, parameter.ty, lowest)?;
        is_telling.then(|| format!("{} >= {bound}", parameter.name))
    };
    let bounds: Vec<String> = match bounded {
        true => all.iter().enumerate().filter_map(lower).collect(),
        false => Vec::new(),
    };
    let kept = all.iter().enumerate().filter(|(_, parameter)| parameter.is_kept);
    let inside: Vec<String> = if bounded { kept.filter_map(lower).collect() } else { Vec::new() };
    let inside = (!inside.is_empty()).then(|| inside.join(" && "));
    let or_nothing = |text: String| if text.is_empty() { "1".to_string() } else { text };
    Some(Contract {
        function: function.name.clone(),
        position: body.scopes.first().map_or(function.position, |scope| scope.begin),
        requires: or_nothing(bounds.join(" && ")),
        ensures: or_nothing(ensures.unwrap_or_default()),
        inside: first_statement(body).zip(inside),
    })
}

/// A relation of this shape between the result and the parameters that a function keeps.
fn ensured(
    program: &Program,
    parameters: &[Parameter],
    ty: Ty,
    returned: &Tuples,
    shape: Shape,
) -> Option<String> {
    let at = parameters.len();
    let results: BTreeSet<i128> = returned.iter().map(|tuple| tuple[at]).collect();
    let (low, high) = (*results.first()?, *results.last()?);
    let number = |value: i128| text(program, ty, value);
    let kept = || parameters.iter().enumerate().filter(|(_, p)| p.is_kept && p.ty == ty);
    let all = |holds: &dyn Fn(&Vec<i128>) -> bool| returned.iter().all(holds);
    let is_bounded = results.len() <= VALUES;
    match shape {
        Shape::Equal if low == high => Some(format!("\\result == {}", number(low)?)),
        Shape::Equal => {
            for (index, one) in kept() {
                let first = returned.first()?;
                let distance = first[at] - first[index];
                if all(&|tuple| tuple[at] - tuple[index] == distance) {
                    let sign = if distance < 0 { '-' } else { '+' };
                    let distance = number(distance.abs())?;
                    return Some(format!("\\result == {} {sign} {distance}", one.name));
                }
                for (other, two) in kept().filter(|(other, _)| *other > index) {
                    if all(&|tuple| tuple[at] == tuple[index] + tuple[other]) {
                        return Some(format!("\\result == {} + {}", one.name, two.name));
                    }
                }
            }
            None
        }
        Shape::Between if is_bounded => {
            Some(format!("\\result >= {} && \\result <= {}", number(low)?, number(high)?))
        }
        Shape::AtMost if is_bounded => Some(format!("\\result <= {}", number(high)?)),
        Shape::AtLeast => Some(format!("\\result >= {}", number(low)?)),
        Shape::NotBelowParameter => {
            let (_, one) = kept().find(|(index, _)| all(&|tuple| tuple[at] >= tuple[*index]))?;
            Some(format!("\\result >= {} && \\result >= {}", one.name, number(low)?))
        }
        _ => None,
    }
}
