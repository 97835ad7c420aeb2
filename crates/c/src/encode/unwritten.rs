//! Values that are read before they are written.
//!
//! A variable that is not in memory has a bit that says whether it was written since its
//! declaration. Of memory one byte is watched, whose address is arbitrary: `unwritten` is its
//! address from the moment on in which an object begins to live there, and 0 from the first write
//! on. A read of that address is a violation. Since the address is arbitrary, no byte goes
//! unwatched, and since only one is watched, it costs as much for large arrays as for small ones.
//! A copy of a record may be followed: then its copy is the byte that is watched. Functions of the
//! library are written in C and copy byte by byte; once one has read the watched byte, whatever it
//! writes next may be a copy.

use super::memory::Access;
use super::{ChoicePointKind, Encoder};
use crate::flat::InstanceId;
use crate::source::Position;
use crate::typed::LocalKind;
use crate::types::Ty;
use crate::violation::{Kind, Properties};
use rustc_hash::FxHashMap;
use wedge_logic::{Sort, Term};

/// What is known about writes.
#[derive(Default)]
pub struct Unwritten {
    byte: Option<Byte>,
    /// For each variable that is not in memory, whether it was written.
    written: FxHashMap<Term, Term>,
}

#[derive(Clone, Copy)]
struct Byte {
    /// The address, which never changes.
    watched: Term,
    /// Where the byte is, or its copy, as long as it is not written.
    unwritten: Term,
    /// Whether the library has read it.
    copied: Term,
}

impl Encoder<'_, '_> {
    pub(super) fn make_unwritten(&mut self, properties: &Properties) {
        if !properties.asks(Kind::Uninitialised) {
            return;
        }
        let width = self.pointer_width;
        let watched = self.temporary("watched", Sort::Bv(width));
        let unwritten = self.temporary("unwritten", Sort::Bv(width));
        let copied = self.temporary("copied", Sort::Bv(1));
        self.unwritten.byte = Some(Byte { watched, unwritten, copied });
        let mut named: Vec<Term> = Vec::new();
        for (&(instance, local), &register) in &self.registers {
            let kind = self.flat.instance(instance).body.local(local).kind;
            if kind == LocalKind::Variable {
                named.push(register);
            }
        }
        named.sort_unstable();
        for register in named {
            let bit = self.temporary("written", Sort::Bv(1));
            self.unwritten.written.insert(register, bit);
        }
    }

    /// Whether writes are watched byte by byte.
    pub(super) fn watches_writes(&self) -> bool {
        self.unwritten.byte.is_some()
    }

    /// Nothing is unwritten when the program starts.
    pub(super) fn start_unwritten(&mut self) {
        let Some(Byte { unwritten, copied, .. }) = self.unwritten.byte else { return };
        let (none, no, yes) = {
            let terms = &mut self.cfa.terms;
            (terms.zero(self.pointer_width), terms.bool(false), terms.bool(true))
        };
        self.step.update(unwritten, none);
        self.step.update(copied, no);
        let bits: Vec<Term> = self.unwritten.written.values().copied().collect();
        bits.into_iter().for_each(|bit| self.step.update(bit, yes));
    }

    /// A variable that is not in memory was written, or begins to live.
    pub(super) fn set_written(&mut self, register: Term, is_written: bool) {
        if let Some(&bit) = self.unwritten.written.get(&register) {
            let value = self.cfa.terms.bool(is_written);
            self.step.update(bit, value);
        }
    }

    /// A variable comes back from the stack, and it may be one that was not written.
    pub(super) fn restore_written(&mut self, register: Term, instance: InstanceId, at: Position) {
        if let Some(&bit) = self.unwritten.written.get(&register) {
            let any = self.arbitrary(ChoicePointKind::Other, Ty::BOOL, 1, instance, at);
            self.step.update(bit, any);
        }
    }

    /// A variable that is not in memory is read: it was written.
    pub(super) fn check_written(&mut self, register: Term) {
        if let Some(&bit) = self.unwritten.written.get(&register)
            && !self.in_library
        {
            self.check(Kind::Uninitialised, bit);
        }
    }

    /// `size` bytes from an address on begin to live: watched in `unwritten` = 0.
    pub(super) fn begin_unwritten(&mut self, instance: InstanceId, address: Term, size: Term) {
        let Some(Byte { watched, unwritten, .. }) = self.unwritten.byte else { return };
        let function = self.flat.instance(instance).function;
        // What the caller of an entry makes is given, not forgotten.
        if self.starting || self.program.entry.is_some() && self.program.main == Some(function) {
            return;
        }
        let now = self.step.current(unwritten);
        let terms = &mut self.cfa.terms;
        let none = terms.zero(self.pointer_width);
        let distance = terms.sub(watched, address);
        let (inside, free) = (terms.ult(distance, size), terms.eq(now, none));
        let begins = terms.and(inside, free);
        let next = terms.ite(begins, watched, now);
        self.step.update(unwritten, next);
    }

    /// The same for a local variable in memory.
    pub(super) fn begin_unwritten_local(&mut self, instance: InstanceId, base: Term, size: u64) {
        let size = self.cfa.terms.number(self.pointer_width, size);
        self.begin_unwritten(instance, base, size);
    }

    /// Whether the byte is one of `size` at an address.
    fn covers(&mut self, access: &Access, size: u64) -> Option<Term> {
        let unwritten = self.unwritten.byte.filter(|_| !self.starting)?.unwritten;
        let now = self.step.current(unwritten);
        let address = self.address_value(&access.address);
        let terms = &mut self.cfa.terms;
        let (distance, size) = (terms.sub(now, address), terms.number(self.pointer_width, size));
        let none = terms.zero(self.pointer_width);
        let (inside, exists) = (terms.ult(distance, size), terms.neq(now, none));
        Some(terms.and(inside, exists))
    }

    /// A scalar is read: all its bytes were written.
    pub(super) fn check_bytes_written(&mut self, access: &Access, size: u64) {
        let Some(covers) = self.covers(access, size) else { return };
        if !self.in_library {
            let written = self.cfa.terms.not(covers);
            return self.check(Kind::Uninitialised, written);
        }
        if let Some(Byte { copied, .. }) = self.unwritten.byte {
            let now = self.step.current(copied);
            let next = self.cfa.terms.or(now, covers);
            self.step.update(copied, next);
        }
    }

    /// Bytes are written.
    pub(super) fn write_unwritten(&mut self, access: &Access, size: u64) {
        let Some(covers) = self.covers(access, size) else { return };
        let Some(Byte { unwritten, copied, .. }) = self.unwritten.byte else { return };
        let now = self.step.current(unwritten);
        let none = self.cfa.terms.zero(self.pointer_width);
        let mut next = self.cfa.terms.ite(covers, none, now);
        if self.in_library {
            let (instance, at) = (access.instance, access.position);
            let follows = self.arbitrary(ChoicePointKind::Other, Ty::BOOL, 1, instance, at);
            let copied = self.step.current(copied);
            let address = self.address_value(&access.address);
            let moves = self.cfa.terms.and(follows, copied);
            next = self.cfa.terms.ite(moves, address, next);
        }
        self.step.update(unwritten, next);
    }

    /// Bytes are copied, `size` in all: the copy may be followed. What is asked before the copy and
    /// what is done after it, since the copy writes.
    pub(super) fn follow_copy(&mut self, to: &Access, from: &Access, size: u64) -> Option<Term> {
        let covers = self.covers(from, size)?;
        let unwritten = self.unwritten.byte?.unwritten;
        let now = self.step.current(unwritten);
        let (source, target) = (self.address_value(&from.address), self.address_value(&to.address));
        let (instance, at) = (to.instance, to.position);
        let follows = self.arbitrary(ChoicePointKind::Other, Ty::BOOL, 1, instance, at);
        let terms = &mut self.cfa.terms;
        let distance = terms.sub(now, source);
        let there = terms.add(target, distance);
        let none = terms.zero(self.pointer_width);
        let moves = terms.and(covers, follows);
        Some(terms.ite(moves, there, none))
    }

    pub(super) fn finish_copy(&mut self, moved: Option<Term>) {
        let (Some(moved), Some(byte)) = (moved, self.unwritten.byte) else { return };
        let now = self.step.current(byte.unwritten);
        let terms = &mut self.cfa.terms;
        let none = terms.zero(self.pointer_width);
        let stays = terms.eq(moved, none);
        let next = terms.ite(stays, now, moved);
        self.step.update(byte.unwritten, next);
    }
}
