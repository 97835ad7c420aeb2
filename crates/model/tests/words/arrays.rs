//! Arrays in lowering: whole registers, single elements, tables, and those that are too large.

use crate::random_system::{Genes, compare, random_walk};
use wedge_logic::blast::Limits;
use wedge_logic::{Sort, Term};
use wedge_model::{Circuit, LoweringMap, System, lower};

/// A memory of the given shape that is written every step at the input's address.
fn memory(index: u32, element: u32) -> (System, Term, Term, Term) {
    let mut system = System::new();
    let address = system.add_input("address", Sort::Bv(index));
    let data = system.add_input("data", Sort::Bv(element));
    let memory = system.add_state("memory", Sort::Array { index, element });
    let written = system.terms.write(memory, address, data);
    system.states[0].next = Some(written);
    (system, memory, address, data)
}

fn bad_if_equal(system: &mut System, a: Term, b: Term) {
    let bad = system.terms.eq(a, b);
    system.add_bad(None, bad);
}

fn walk(system: &System, circuit: &Circuit, back: &LoweringMap) {
    let genes = &mut Genes::new(99);
    for _ in 0..50 {
        let walk = random_walk(circuit, genes, 8);
        compare(system, circuit, back, &walk);
    }
}

#[test]
fn read_anywhere_needs_all_elements() {
    let (mut system, memory, address, data) = memory(3, 2);
    let read = system.terms.read(memory, address);
    bad_if_equal(&mut system, read, data);
    let (circuit, back) = lower(&system, 0, Limits::default()).expect("sixteen bits");
    assert_eq!((circuit.latches.len(), circuit.inputs.len()), (16, 5));
    walk(&system, &circuit, &back);
}

#[test]
fn too_large_is_an_error_with_the_name() {
    let (mut system, memory, address, data) = memory(32, 8);
    let read = system.terms.read(memory, address);
    bad_if_equal(&mut system, read, data);
    let error = lower(&system, 0, Limits::default()).expect_err("a gigabyte");
    assert_eq!(error.to_string(), format!("the array memory has {} bits", 8u64 << 32));
    let (mut system, memory, address, data) = self::memory(3, 2);
    let read = system.terms.read(memory, address);
    bad_if_equal(&mut system, read, data);
    assert!(lower(&system, 0, Limits { array_bits: 15, ..Limits::default() }).is_err());
    assert!(lower(&system, 0, Limits { array_bits: 16, ..Limits::default() }).is_ok());
}

#[test]
fn large_arrays_outside_the_cone_do_not_matter() {
    let (mut system, _, _, data) = memory(32, 8);
    let same = system.terms.number(8, 3);
    bad_if_equal(&mut system, data, same);
    let (circuit, back) = lower(&system, 0, Limits::default()).expect("no array is read");
    assert_eq!((circuit.latches.len(), circuit.inputs.len()), (0, 8));
    walk(&system, &circuit, &back);
}

#[test]
fn constant_indices_need_single_elements() {
    let (mut system, memory, _, data) = memory(4, 3);
    let (five, nine) = (system.terms.number(4, 5), system.terms.number(4, 9));
    let (first, second) = (system.terms.read(memory, five), system.terms.read(memory, nine));
    let sum = system.terms.add(first, second);
    bad_if_equal(&mut system, sum, data);
    let (circuit, back) = lower(&system, 0, Limits::default()).expect("two elements");
    assert_eq!((circuit.latches.len(), circuit.inputs.len()), (6, 7));
    walk(&system, &circuit, &back);
}

#[test]
fn an_initial_array_and_a_copy_share_the_elements() {
    let (mut system, memory, _, data) = memory(70, 3);
    let copy = system.add_state("copy", Sort::Array { index: 70, element: 3 });
    let six = system.terms.number(3, 6);
    let filled = system.terms.const_array(70, six);
    let place = system.terms.number(70, 5);
    system.states[0].init = Some(filled);
    system.states[1].init = Some(memory);
    system.states[1].next = Some(memory);
    let read = system.terms.read(copy, place);
    bad_if_equal(&mut system, read, data);
    let (circuit, back) = lower(&system, 0, Limits::default()).expect("one element each");
    assert_eq!(circuit.latches.len(), 6);
    walk(&system, &circuit, &back);
}

#[test]
fn compared_arrays_need_all_elements() {
    let (mut system, memory, _, _) = memory(2, 2);
    let other = system.add_state("other", Sort::Array { index: 2, element: 2 });
    system.states[1].next = Some(memory);
    bad_if_equal(&mut system, memory, other);
    let (circuit, back) = lower(&system, 0, Limits::default()).expect("sixteen bits");
    assert_eq!(circuit.latches.len(), 16);
    walk(&system, &circuit, &back);
}

/// A table that is never written, with entries at a few places.
fn table(index: u32, entries: u64) -> System {
    let mut system = System::new();
    let address = system.add_input("address", Sort::Bv(index));
    let table = system.add_state("table", Sort::Array { index, element: 4 });
    let terms = &mut system.terms;
    let one = terms.number(4, 1);
    let mut init = terms.const_array(index, one);
    for i in 0..entries {
        let (at, value) = (terms.number(index, i * 3), terms.number(4, i + 2));
        init = terms.write(init, at, value);
    }
    let (read, nine) = (terms.read(table, address), terms.number(4, 9));
    system.states[0].init = Some(init);
    system.states[0].next = Some(table);
    bad_if_equal(&mut system, read, nine);
    system
}

#[test]
fn sparse_and_huge_tables_become_choices() {
    for system in [table(6, 3), table(64, 12), table(3, 2)] {
        let (circuit, back) = lower(&system, 0, Limits::default()).expect("a table");
        assert_eq!(circuit.latches.len(), 0);
        assert!(circuit.aig.num_ands() < 1200, "{}", circuit.aig.num_ands());
        walk(&system, &circuit, &back);
    }
}

#[test]
fn array_inputs_are_fresh_in_every_step() {
    let mut system = System::new();
    let array = system.add_input("array", Sort::Array { index: 2, element: 2 });
    let index = system.add_input("index", Sort::Bv(2));
    let last = system.add_state("last", Sort::Array { index: 2, element: 2 });
    system.states[0].next = Some(array);
    let (now, before) = (system.terms.read(array, index), system.terms.read(last, index));
    bad_if_equal(&mut system, now, before);
    let (circuit, back) = lower(&system, 0, Limits::default()).expect("sixteen bits");
    assert_eq!((circuit.latches.len(), circuit.inputs.len()), (8, 10));
    walk(&system, &circuit, &back);
}
