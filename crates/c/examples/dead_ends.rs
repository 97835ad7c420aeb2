//! Prints where the automaton of a program ends because a guard is never true:
//! `dead_ends ILP32|LP64 FILE`.

use wedge_c::Properties;
use wedge_c::encode::{Room, encode};
use wedge_c::{DataModel, load};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let model = match arguments.next().as_deref() {
        Some("LP64") => DataModel::Lp64,
        _ => DataModel::Ilp32,
    };
    let file = arguments.next().unwrap_or_default();
    let program = load(&[&file], model).unwrap_or_else(|error| panic!("{error}"));
    let encoded = encode(&program, &Properties::default(), Room::default())
        .unwrap_or_else(|error| panic!("{error}"));
    let terms = &encoded.cfa.terms;
    for edge in &encoded.cfa.edges {
        if terms.value(edge.guard).is_some_and(|guard| guard.is_zero())
            && let Some(origin) = edge.origin
        {
            let origin = &encoded.origins[origin as usize];
            let name = &program.function(origin.function).name;
            println!("{} in {name}", program.files.show(origin.position));
        }
    }
}
