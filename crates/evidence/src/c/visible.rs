//! Which variables of the automaton a C expression at a loop can speak of, and by what names.

use wedge_c::encode::Meaning;
use wedge_c::source::Position;
use wedge_c::typed::{Body, FuncId, Loop, Program, ScopeId};
use wedge_c::types::{Length, RecordKind, Ty, Type};

/// A place in the program where an expression is to be evaluated.
pub struct Scene<'p> {
    pub program: &'p Program,
    pub function: FuncId,
    pub body: &'p Body,
    pub at: Loop,
    /// Whether it is a loop statement; else only the position and scope count.
    pub is_loop: bool,
}

impl Scene<'_> {
    /// The C expression for a variable of this meaning and width, if there is one here, and
    /// whether it is signed. Only
    /// integers are given, since the bits of floats and pointers have no operators.
    pub fn name(&self, meaning: &Meaning, width: u32) -> Option<(String, bool)> {
        match *meaning {
            Meaning::Global(id, offset) => {
                let global = self.program.global(id);
                let visible = match global.scope {
                    None => !self.is_local(&global.name) && self.is_declared(global.position),
                    Some((function, scope)) => function == self.function && self.encloses(scope),
                };
                let plain = is_identifier(&global.name) && !global.is_literal;
                (visible && plain).then(|| self.part(&global.name, global.ty, offset, width))?
            }
            Meaning::Local { function, local, offset, .. } if function == self.function => {
                let local = self.body.local(local);
                let name = local.name.as_deref().filter(|name| is_identifier(name))?;
                let visible =
                    self.encloses(local.scope) && self.innermost(name) == Some(local.scope);
                visible.then(|| self.part(name, local.ty, offset, width))?
            }
            _ => None,
        }
    }

    /// Whether a declaration of the file's scope comes before the place, if both are in one file.
    fn is_declared(&self, declaration: Position) -> bool {
        declaration.physical_line < self.at.position.physical_line
    }

    /// The scopes around the loop, from the inside.
    fn scopes(&self) -> Vec<ScopeId> {
        let mut chain = vec![self.at.scope];
        while let Some(scope) = chain.last().and_then(|id| self.body.scopes.get(id.0 as usize)) {
            match scope.parent {
                Some(parent) if !chain.contains(&parent) => chain.push(parent),
                _ => break,
            }
        }
        chain
    }

    fn encloses(&self, scope: ScopeId) -> bool {
        self.scopes().contains(&scope)
    }

    /// The innermost scope around the loop that declares a local of this name; none if two
    /// locals of one scope share it.
    fn innermost(&self, name: &str) -> Option<ScopeId> {
        for scope in self.scopes() {
            let named =
                |l: &&wedge_c::typed::Local| l.scope == scope && l.name.as_deref() == Some(name);
            match self.body.locals.iter().filter(named).count() {
                0 => continue,
                1 => return Some(scope),
                _ => return None,
            }
        }
        None
    }

    fn is_local(&self, name: &str) -> bool {
        let scopes = self.scopes();
        let hides = |l: &wedge_c::typed::Local| {
            l.name.as_deref() == Some(name) && scopes.contains(&l.scope)
        };
        self.body.locals.iter().any(hides)
    }

    /// The integer of this width at an offset of an object.
    fn part(&self, name: &str, ty: Ty, offset: u64, width: u32) -> Option<(String, bool)> {
        let types = &self.program.types;
        match types.get(ty) {
            Type::Record(_) => {
                let record = types.record(ty)?;
                if record.kind == RecordKind::Union {
                    return None;
                }
                let field = types.fields(ty).iter().find(|field| {
                    let size = types.size(field.ty).unwrap_or(0);
                    field.bits.is_none() && field.offset <= offset && offset < field.offset + size
                })?;
                let inner = format!("{name}.{}", field.name.as_deref()?);
                self.part(&inner, field.ty, offset - field.offset, width)
            }
            &Type::Array(element, Length::Fixed(count)) => {
                let size = types.size(element).filter(|&size| size > 0)?;
                let index = offset / size;
                let inner = format!("{name}[{index}]");
                (index < count).then(|| self.part(&inner, element, offset % size, width))?
            }
            _ => {
                let format = types.int_format(ty).filter(|_| offset == 0)?;
                let fits = format.width == width;
                fits.then(|| (name.to_string(), format.signed))
            }
        }
    }
}

fn is_identifier(name: &str) -> bool {
    let part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    !name.is_empty() && name.chars().all(part) && !name.starts_with(|c: char| c.is_ascii_digit())
}
