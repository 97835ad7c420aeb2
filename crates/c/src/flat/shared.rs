//! Recursion with one body per function and a stack.
//!
//! Entering a recursive component from outside makes a [`Group`]: one instance of each of its
//! functions, and a stack. A call inside the group saves what its caller still needs, together
//! with the number of the call, binds the parameters and goes to the start of the function's body;
//! a return looks at the number on top of the stack to find the call that it belongs to, or goes
//! outside if the stack is empty. All activations but the running one have their values on the
//! stack, so it does no harm that they share their variables.

use super::calls::Call;
use super::components::ComponentId;
use super::expand::{Expansion, Return, Work};
use super::live::Live;
use super::tail::is_tail;
use super::{FlatBlockId, FlatStmt, FlatTerminator, InstanceId, Stack, StackId};
use crate::source::Position;
use crate::typed::{BlockId, Expr, FuncId, LocalId, Place};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

pub(super) struct Group<'p> {
    /// None for a function with a single body that does not call itself.
    component: Option<ComponentId>,
    instances: FxHashMap<FuncId, InstanceId>,
    /// The instance that is called from outside, and where it returns to.
    entry: InstanceId,
    outside: Return<'p>,
    sites: Vec<Site<'p>>,
    /// Calls that leave it to the called instance to return to where the caller would.
    tails: Vec<(InstanceId, InstanceId)>,
    exits: Vec<Exit>,
    saved: Vec<(InstanceId, LocalId)>,
}

/// A call inside a group.
struct Site<'p> {
    caller: InstanceId,
    callee: InstanceId,
    after: FlatBlockId,
    saved: Vec<LocalId>,
    result: Option<&'p Place>,
    position: Position,
}

/// The block in which the returns of an instance meet, with or without a value.
struct Exit {
    instance: InstanceId,
    valued: bool,
    block: FlatBlockId,
    outside: Option<FlatBlockId>,
    /// The blocks behind the calls, by the number of the site.
    sites: BTreeMap<usize, FlatBlockId>,
}

impl<'p> Expansion<'p> {
    /// Ends a block with the entry into a function whose component shares bodies.
    pub(super) fn enter_shared(
        &mut self,
        block: FlatBlockId,
        component: ComponentId,
        id: FuncId,
        call: &Call<'p>,
    ) {
        let group = self.groups_of[call.caller.0 as usize];
        let inside = group.filter(|group| self.group(*group).component == Some(component));
        match inside {
            Some(stack) => self.call_again(block, stack, id, call),
            None => {
                let after = self.new_block(call.caller, call.position);
                let back = Return { to: Some((call.caller, after)), result: call.result };
                self.pending.insert(after, call.rest);
                let caller = Some((call.caller, call.position));
                let made = self.new_group(block, component, id, caller, back, call.position);
                let Some(callee) = made else { return };
                self.bind(block, callee, call);
                let start = self.start(callee, BlockId(0));
                self.end(block, FlatTerminator::Goto(start), call.position);
            }
        }
    }

    /// A group that is entered by a function, which must have a body.
    pub(super) fn new_group(
        &mut self,
        block: FlatBlockId,
        component: ComponentId,
        id: FuncId,
        caller: Option<(InstanceId, Position)>,
        outside: Return<'p>,
        position: Position,
    ) -> Option<InstanceId> {
        let entry = self.new_instance(id, caller, outside)?;
        let stack = self.add_group(Some(component), id, entry, outside);
        self.block_mut(block).statements.push(FlatStmt::Empty { stack, position });
        Some(entry)
    }

    pub(super) fn add_group(
        &mut self,
        component: Option<ComponentId>,
        id: FuncId,
        entry: InstanceId,
        outside: Return<'p>,
    ) -> StackId {
        let stack = StackId(self.groups.len() as u32);
        self.groups_of[entry.0 as usize] = Some(stack);
        self.groups.push(Group {
            component,
            instances: FxHashMap::from_iter([(id, entry)]),
            entry,
            outside,
            sites: Vec::new(),
            tails: Vec::new(),
            exits: Vec::new(),
            saved: Vec::new(),
        });
        stack
    }

    fn group(&self, stack: StackId) -> &Group<'p> {
        &self.groups[stack.0 as usize]
    }

    /// The instance of a function in a group.
    fn member(&mut self, stack: StackId, id: FuncId, call: &Call<'p>) -> Option<InstanceId> {
        if let Some(known) = self.group(stack).instances.get(&id) {
            return Some(*known);
        }
        let caller = Some((call.caller, call.position));
        let instance = self.new_instance(id, caller, Return { to: None, result: None })?;
        self.groups_of[instance.0 as usize] = Some(stack);
        self.groups[stack.0 as usize].instances.insert(id, instance);
        Some(instance)
    }

    /// Ends a block with a call of a member of the caller's own group.
    fn call_again(&mut self, block: FlatBlockId, stack: StackId, id: FuncId, call: &Call<'p>) {
        let Some(callee) = self.member(stack, id, call) else { return };
        let caller_function = self.function_of(call.caller);
        let position = call.position;
        if is_tail(self.program, caller_function, id, call.result, call.rest) {
            self.groups[stack.0 as usize].tails.push((call.caller, callee));
        } else {
            let saved = self.saved_by(call);
            self.wait(block, stack, callee, saved, call);
        }
        let arguments = call.arguments;
        let rebind = FlatStmt::Rebind { callee, arguments, position };
        self.block_mut(block).statements.push(rebind);
        let start = self.start(callee, BlockId(0));
        self.end(block, FlatTerminator::Goto(start), position);
        self.connect(stack);
    }

    /// Puts a call on a stack.
    pub(super) fn wait(
        &mut self,
        block: FlatBlockId,
        stack: StackId,
        callee: InstanceId,
        saved: Vec<LocalId>,
        call: &Call<'p>,
    ) {
        let Call { caller, result, position, .. } = *call;
        let after = self.new_block(caller, position);
        self.pending.insert(after, call.rest);
        let group = &mut self.groups[stack.0 as usize];
        for local in &saved {
            if !group.saved.contains(&(caller, *local)) {
                group.saved.push((caller, *local));
            }
        }
        let site = Site { caller, callee, after, saved: saved.clone(), result, position };
        group.sites.push(site);
        let site = group.sites.len() as u32;
        let push = FlatStmt::Push { stack, site, saved, callee, position };
        self.block_mut(block).statements.push(push);
    }

    fn saved_by(&mut self, call: &Call<'p>) -> Vec<LocalId> {
        let instance = &self.instances[call.caller.0 as usize];
        let (function, body) = (instance.function, instance.body);
        let live = self.live.entry(function).or_insert_with(|| Live::find(body));
        live.across(call.rest, call.result)
    }

    /// How a block that returns from an instance of a group ends.
    pub(super) fn leave_shared(
        &mut self,
        stack: StackId,
        instance: InstanceId,
        value: Option<&'p Expr>,
        position: Position,
    ) -> FlatTerminator<'p> {
        let exit = self.exit(stack, instance, value.is_some());
        let Some(value) = value else { return FlatTerminator::Goto(exit) };
        let block = self.new_block(instance, position);
        self.block_mut(block).statements.push(FlatStmt::Yield { value, position });
        self.end(block, FlatTerminator::Goto(exit), position);
        FlatTerminator::Goto(block)
    }

    fn exit(&mut self, stack: StackId, instance: InstanceId, valued: bool) -> FlatBlockId {
        let matches = |exit: &&Exit| exit.instance == instance && exit.valued == valued;
        if let Some(known) = self.group(stack).exits.iter().find(matches) {
            return known.block;
        }
        let position = self.instances[instance.0 as usize].body.end;
        let block = self.new_block(instance, position);
        let exit = Exit { instance, valued, block, outside: None, sites: BTreeMap::new() };
        self.groups[stack.0 as usize].exits.push(exit);
        self.connect(stack);
        block
    }

    /// Makes the ways from the exits of a group to the calls that they can belong to.
    pub(super) fn connect(&mut self, stack: StackId) {
        for index in 0..self.group(stack).exits.len() {
            let exit = &self.group(stack).exits[index];
            let (instance, valued) = (exit.instance, exit.valued);
            let served = self.group(stack).served(instance);
            let has_outside = self.group(stack).component.is_some();
            if has_outside && exit.outside.is_none() && served.contains(&self.group(stack).entry) {
                let outside = self.way_outside(stack, instance, valued);
                self.groups[stack.0 as usize].exits[index].outside = Some(outside);
            }
            for number in 0..self.group(stack).sites.len() {
                let group = self.group(stack);
                let is_known = group.exits[index].sites.contains_key(&number);
                if is_known || !served.contains(&group.sites[number].callee) {
                    continue;
                }
                let way = self.way_back(stack, number, instance, valued);
                self.groups[stack.0 as usize].exits[index].sites.insert(number, way);
            }
            let exit = &self.group(stack).exits[index];
            let (block, outside) = (exit.block, exit.outside);
            let sites = exit.sites.iter().map(|(site, to)| (*site as u32 + 1, *to)).collect();
            self.block_mut(block).terminator = FlatTerminator::Back { stack, outside, sites };
        }
    }

    /// From an exit of an instance out of its group.
    fn way_outside(&mut self, stack: StackId, from: InstanceId, valued: bool) -> FlatBlockId {
        let Return { to, result } = self.group(stack).outside;
        let position = self.instances[from.0 as usize].body.end;
        let Some((caller, after)) = to else { return self.new_block(from, position) };
        let block = self.new_block(caller, position);
        self.take(block, result, from, valued, position);
        self.resume(caller, after);
        self.end(block, FlatTerminator::Goto(after), position);
        block
    }

    /// From an exit of an instance to behind a call.
    fn way_back(
        &mut self,
        stack: StackId,
        number: usize,
        from: InstanceId,
        valued: bool,
    ) -> FlatBlockId {
        let site = &self.group(stack).sites[number];
        let (caller, after, result, position) =
            (site.caller, site.after, site.result, site.position);
        let pop = FlatStmt::Pop { stack, saved: site.saved.clone(), callee: from, position };
        let block = self.new_block(caller, position);
        self.block_mut(block).statements.push(pop);
        self.take(block, result, from, valued, position);
        self.resume(caller, after);
        self.end(block, FlatTerminator::Goto(after), position);
        block
    }

    fn take(
        &mut self,
        block: FlatBlockId,
        result: Option<&'p Place>,
        callee: InstanceId,
        valued: bool,
        position: Position,
    ) {
        if let Some(place) = result {
            let take = FlatStmt::Take { place, callee, valued, position };
            self.block_mut(block).statements.push(take);
        }
    }

    /// Translates what follows a call, now that the called function is known to return.
    pub(super) fn resume(&mut self, instance: InstanceId, after: FlatBlockId) {
        if let Some((source, statement)) = self.pending.remove(&after) {
            self.work.push(Work { instance, source, statement, into: after });
        }
    }
}

impl Group<'_> {
    /// The instances whose calls a return of this one may belong to: itself, and those that leave
    /// their return to it.
    fn served(&self, instance: InstanceId) -> Vec<InstanceId> {
        let mut served = vec![instance];
        let mut next = 0;
        while let Some(&callee) = served.get(next) {
            next += 1;
            for (caller, _) in self.tails.iter().filter(|(_, target)| *target == callee) {
                if !served.contains(caller) {
                    served.push(*caller);
                }
            }
        }
        served
    }

    pub fn stack(self) -> Stack {
        let is_single = self.component.is_none();
        Stack { sites: self.sites.len() as u32, is_single, saved: self.saved }
    }
}
