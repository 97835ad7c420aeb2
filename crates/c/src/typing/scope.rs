//! Names and what they stand for (C11 6.2.1, 6.2.3).

use super::qualifiers::Levels;
use crate::typed::{FuncId, GlobalId, LocalId, ScopeId};
use crate::types::Ty;
use rustc_hash::FxHashMap;

/// What an ordinary identifier stands for.
#[derive(Clone, Debug)]
pub enum Binding {
    /// A typedef, with the alignment that an attribute gave it.
    Typedef {
        ty: Ty,
        align: Option<u64>,
    },
    Local(LocalId),
    /// An array of variable length: its type, and the variable that holds its address.
    VariableArray {
        pointer: LocalId,
        ty: Ty,
    },
    /// A global object with the type it has in this file.
    Global {
        id: GlobalId,
        ty: Ty,
    },
    Function(FuncId),
    /// An enumeration constant.
    Constant {
        value: u128,
        ty: Ty,
    },
}

/// The names of one block, or of the file.
#[derive(Default)]
struct Level {
    names: FxHashMap<String, Binding>,
    tags: FxHashMap<String, Ty>,
    /// The qualifiers of those names of which they are known.
    qualifiers: FxHashMap<String, Levels>,
    id: Option<ScopeId>,
}

/// All open scopes, the file's first.
pub struct Scopes {
    levels: Vec<Level>,
}

/// Scopes that are closed for a while.
pub struct Inner(Vec<Level>);

impl Default for Scopes {
    fn default() -> Scopes {
        Scopes { levels: vec![Level::default()] }
    }
}

impl Scopes {
    pub fn enter(&mut self, id: Option<ScopeId>) {
        self.levels.push(Level { id, ..Level::default() });
    }

    pub fn leave(&mut self) {
        self.levels.pop();
        debug_assert!(!self.levels.is_empty());
    }

    /// Closes all scopes but that of the file, to be opened again by [`Scopes::reopen`].
    pub fn close_inner(&mut self) -> Inner {
        Inner(self.levels.split_off(1))
    }

    pub fn reopen(&mut self, inner: Inner) {
        self.levels.truncate(1);
        self.levels.extend(inner.0);
    }

    pub fn is_file_scope(&self) -> bool {
        self.levels.len() == 1
    }

    /// The scope that is open in the current function.
    pub fn current(&self) -> Option<ScopeId> {
        self.levels.iter().rev().find_map(|level| level.id)
    }

    pub fn lookup(&self, name: &str) -> Option<&Binding> {
        self.levels.iter().rev().find_map(|level| level.names.get(name))
    }

    /// The binding of `name` in the innermost scope.
    pub fn lookup_here(&self, name: &str) -> Option<&Binding> {
        self.levels.last().and_then(|level| level.names.get(name))
    }

    /// The qualifiers of the type of a name, as [`super::qualifiers`] has them.
    pub fn qualifiers(&self, name: &str) -> Option<Levels> {
        let level = self.levels.iter().rev().find(|level| level.names.contains_key(name))?;
        level.qualifiers.get(name).cloned()
    }

    pub fn qualify(&mut self, name: &str, levels: Levels) {
        if let Some(level) = self.levels.last_mut() {
            level.qualifiers.insert(name.to_string(), levels);
        }
    }

    pub fn bind(&mut self, name: &str, binding: Binding) {
        if let Some(level) = self.levels.last_mut() {
            level.qualifiers.remove(name);
            level.names.insert(name.to_string(), binding);
        }
    }

    /// Binds a name in the scope of the file.
    pub fn bind_in_file(&mut self, name: &str, binding: Binding) {
        self.levels[0].names.insert(name.to_string(), binding);
    }

    pub fn lookup_tag(&self, name: &str) -> Option<Ty> {
        self.levels.iter().rev().find_map(|level| level.tags.get(name).copied())
    }

    pub fn lookup_tag_here(&self, name: &str) -> Option<Ty> {
        self.levels.last().and_then(|level| level.tags.get(name).copied())
    }

    pub fn bind_tag(&mut self, name: &str, ty: Ty) {
        if let Some(level) = self.levels.last_mut() {
            level.tags.insert(name.to_string(), ty);
        }
    }
}
