//! What each statement adds to the state.

use super::ObjectKind;
use super::offsets::Off;
use super::set::{Flags, Set};
use super::state::View;
use super::units::{Kind, Unit};
use super::write::{Destination, Effect, Effects};
use crate::flat::{FlatStmt, InstanceId};
use crate::library::bodies::is_body_meant;
use crate::typed::{Callee, Expr, FuncId, LocalId, Place, Stmt, StmtKind, Terminator};
use crate::types::Ty;

impl View<'_, '_> {
    pub fn transfer(&mut self, unit: &Unit, out: &mut Effects) {
        let instance = unit.instance;
        match &unit.kind {
            Kind::Flat(FlatStmt::Plain(statement)) => self.statement(unit, statement, out),
            Kind::Flat(FlatStmt::Bind { callee, parameter, argument, .. }) => {
                self.bind(instance, *callee, *parameter, *argument, out);
            }
            Kind::Flat(FlatStmt::Variadic { callee, arguments, .. }) => {
                self.variadic(instance, *callee, arguments, out);
            }
            Kind::Flat(FlatStmt::Result { place, callee, value, .. }) => {
                let to = self.destination(instance, place);
                self.result(&to, place.ty, *callee, *value, out);
            }
            Kind::Flat(FlatStmt::Rebind { callee, arguments, .. }) => {
                self.rebind(instance, *callee, arguments, out);
            }
            Kind::Flat(FlatStmt::Take { place, callee, valued, .. }) => {
                self.take_result(instance, place, *callee, *valued, out);
            }
            // A set holds the values of all activations, whether they are on the stack or not.
            Kind::Flat(
                FlatStmt::Empty { .. }
                | FlatStmt::Push { .. }
                | FlatStmt::Pop { .. }
                | FlatStmt::Evaluate { .. }
                | FlatStmt::Yield { .. },
            ) => {}
            Kind::Flat(FlatStmt::External { function, result, arguments, .. }) => {
                self.external(unit, *function, *result, arguments, out);
            }
            Kind::Flat(FlatStmt::Outside { result, arguments, .. }) => {
                self.leave_as_arguments(instance, arguments);
                if let Some(place) = result {
                    let to = self.destination(instance, place);
                    self.leave_open(&to, place.ty, out);
                }
            }
            Kind::Call { callee, result, arguments } => {
                self.call(unit, callee, *result, arguments, out);
            }
        }
    }

    fn statement(&mut self, unit: &Unit, statement: &Stmt, out: &mut Effects) {
        let instance = unit.instance;
        let types = &self.state.program.types;
        let word = types.model.pointer_bytes();
        match &statement.kind {
            StmtKind::Assign { place, value } => {
                let to = self.destination(instance, place);
                self.assign(&to, place.ty, instance, value, out);
            }
            StmtKind::Zero(place) => {
                if let Destination::Register(node) = self.destination(instance, place) {
                    out.push(Effect::Node(node, Set::flags(Flags::NULL)));
                }
            }
            StmtKind::Allocate { pointer, .. } => {
                let to = self.destination(instance, pointer);
                let set = unit.site.map(|site| Set::one(site, Off::exact(0))).unwrap_or_default();
                self.put(&to, &set, pointer.ty, out);
            }
            StmtKind::VaStart(list) => {
                let kind = ObjectKind::Variadic(instance);
                if let Some(object) = self.state.by_kind.get(&kind) {
                    let to = self.place(instance, list);
                    self.store(&to, word, &Set::one(*object, Off::tail(0, word)), out);
                }
            }
            StmtKind::VaArg { result, list } => self.next_argument(instance, result, list, out),
            StmtKind::VaCopy { to, from } => {
                let (to, from) = (self.place(instance, to), self.place(instance, from));
                self.copy(&to, &from, types.size(Ty::VA_LIST), out);
            }
            // Which locals may be read without a value is known beforehand. Calls have become
            // other kinds of units.
            StmtKind::Declare(_)
            | StmtKind::Begin(_)
            | StmtKind::End(_)
            | StmtKind::Call { .. } => {}
        }
    }

    fn next_argument(
        &mut self,
        instance: InstanceId,
        result: &Place,
        list: &Place,
        out: &mut Effects,
    ) {
        let types = &self.state.program.types;
        let list = self.place(instance, list);
        let arguments = self.load(&list, types.model.pointer_bytes());
        let to = self.destination(instance, result);
        match &to {
            Destination::Memory(pointers) if !types.is_scalar(result.ty) => {
                self.copy(pointers, &arguments, types.size(result.ty), out);
            }
            _ => {
                let value = self.argument(&arguments, result.ty);
                self.put(&to, &value, result.ty, out);
            }
        }
    }

    /// What an argument of a list may be that is taken as a scalar of some type: one that was passed
    /// as such, where that is known.
    fn argument(&mut self, arguments: &Set, ty: Ty) -> Set {
        let types = &self.state.program.types;
        let is_like = |other: Ty| {
            types.is_pointer(other) == types.is_pointer(ty) && types.size(other) == types.size(ty)
        };
        let mut places = Set::flags(arguments.flags);
        for (object, off) in &arguments.list {
            let kind = self.state.public[object.0 as usize].kind;
            match self.state.slots.get(&kind) {
                Some(Some(slots)) => {
                    for (at, _) in slots.iter().filter(|(_, other)| is_like(*other)) {
                        places.join(&Set::one(*object, Off::exact(*at)));
                    }
                }
                _ => {
                    places.join(&Set::one(*object, *off));
                }
            }
        }
        self.load(&places, self.state.width(ty))
    }

    fn bind(
        &mut self,
        caller: InstanceId,
        callee: InstanceId,
        parameter: LocalId,
        argument: Option<&Expr>,
        out: &mut Effects,
    ) {
        let Some(activation) = self.state.activation(callee) else { return };
        let ty = activation.body.local(parameter).ty;
        let to = match (self.state.register(callee, parameter), self.state.local(callee, parameter))
        {
            (Some(node), _) => Destination::Register(node),
            (None, Some(object)) => Destination::Memory(Set::one(object, Off::exact(0))),
            (None, None) => return,
        };
        match argument {
            Some(argument) => self.assign(&to, ty, caller, argument, out),
            None => self.leave_open(&to, ty, out),
        }
    }

    fn rebind(
        &mut self,
        caller: InstanceId,
        callee: InstanceId,
        arguments: &[Expr],
        out: &mut Effects,
    ) {
        let Some(activation) = self.state.activation(callee) else { return };
        for index in 0..activation.body.parameters {
            self.bind(caller, callee, LocalId(index as u32), arguments.get(index), out);
        }
    }

    /// Any of the results that a function returns.
    fn take_result(
        &mut self,
        instance: InstanceId,
        place: &Place,
        callee: InstanceId,
        valued: bool,
        out: &mut Effects,
    ) {
        let to = self.destination(instance, place);
        let Some(activation) = self.state.activation(callee) else { return };
        let body = activation.body;
        if !valued {
            return self.leave_open(&to, place.ty, out);
        }
        for block in &body.blocks {
            if let Terminator::Return(Some(value)) = &block.terminator {
                self.assign(&to, place.ty, callee, value, out);
            }
        }
    }

    /// The arguments beyond the parameters lie one after the other, each in whole words.
    fn variadic(
        &mut self,
        caller: InstanceId,
        callee: InstanceId,
        arguments: &[Expr],
        out: &mut Effects,
    ) {
        let Some(object) = self.state.by_kind.get(&ObjectKind::Variadic(callee)) else { return };
        let types = &self.state.program.types;
        let mut at = 0;
        for argument in arguments {
            let to = Destination::Memory(Set::one(*object, Off::exact(at)));
            self.assign(&to, argument.ty, caller, argument, out);
            let size = types.size(argument.ty).unwrap_or(0);
            at += size.next_multiple_of(types.model.pointer_bytes()) as i64;
        }
    }

    fn result(
        &mut self,
        to: &Destination,
        ty: Ty,
        callee: InstanceId,
        value: Option<&Expr>,
        out: &mut Effects,
    ) {
        match value {
            Some(value) => self.assign(to, ty, callee, value, out),
            None => self.leave_open(to, ty, out),
        }
    }

    /// A call in a program that is not flat: all functions that it may reach.
    fn call(
        &mut self,
        unit: &Unit,
        callee: &Callee,
        result: Option<&Place>,
        arguments: &[Expr],
        out: &mut Effects,
    ) {
        let program = self.state.program;
        let functions: Vec<FuncId> = match callee {
            Callee::Function(id) => vec![*id],
            Callee::Pointer(pointer) => {
                let set = self.value(unit.instance, pointer);
                if set.flags.has(Flags::ARBITRARY) || set.list.is_empty() {
                    self.leave_as_arguments(unit.instance, arguments);
                    if let Some(place) = result {
                        let to = self.destination(unit.instance, place);
                        self.leave_open(&to, place.ty, out);
                    }
                }
                let kinds = set.list.iter().map(|(id, _)| self.state.public[id.0 as usize].kind);
                let function = |kind| match kind {
                    ObjectKind::Function(id) => Some(id),
                    _ => None,
                };
                kinds.filter_map(function).collect()
            }
        };
        for id in functions {
            let function = program.function(id);
            let check = self.state.properties.and_then(|p| p.check(&program.types, function));
            if check.is_some() {
                continue;
            }
            match &function.body {
                Some(body) if is_body_meant(function, arguments) => {
                    self.enter(unit, id, body.parameters, result, arguments, out);
                }
                _ => self.external(unit, id, result, arguments, out),
            }
        }
    }

    fn enter(
        &mut self,
        unit: &Unit,
        id: FuncId,
        parameters: usize,
        result: Option<&Place>,
        arguments: &[Expr],
        out: &mut Effects,
    ) {
        let callee = InstanceId(id.0);
        if self.state.activation(callee).is_none() {
            out.push(Effect::Activate(id));
            return;
        }
        for index in 0..parameters {
            let argument = arguments.get(index);
            self.bind(unit.instance, callee, LocalId(index as u32), argument, out);
        }
        if arguments.len() > parameters {
            self.variadic(unit.instance, callee, &arguments[parameters..], out);
        }
        let (Some(place), Some(returns)) = (result, self.state.returns.get(&id)) else { return };
        let to = self.destination(unit.instance, place);
        for value in returns {
            self.result(&to, place.ty, callee, *value, out);
        }
    }
}
