//! Functions that have the name of a standard one and are declared as another.
//!
//! A program may have functions of its own elsewhere, and one of them may have a name that the C
//! library or POSIX has as well. If the declaration is not that of the standard, the function is one
//! that nobody knows. This matters for what is refused; models look at the arguments of calls
//! themselves.

use super::{FunctionModel, model};
use crate::typed::Program;
use crate::types::{Ty, Types};

/// The results and parameters of functions that are refused: `p` for pointers, `i` for integers, `d`
/// for floating types, `r` for records and unions, `v` for nothing, `.` for more.
const SHAPES: &[(&str, &str)] = &[
    ("accept", "i(ipp)"),
    ("bind", "i(ipi)"),
    ("brk", "i(p)"),
    ("confstr", "i(ipi)"),
    ("connect", "i(ipi)"),
    ("dirname", "p(p)"),
    ("basename", "p(p)"),
    ("error", "v(iip.)"),
    ("fcntl", "i(ii.)"),
    ("fork", "i()"),
    ("fscanf", "i(pp.)"),
    ("fwprintf", "i(pp.)"),
    ("fwscanf", "i(pp.)"),
    ("getopt", "i(ipp)"),
    ("glob", "i(pipp)"),
    ("ioctl", "i(ii.)"),
    ("longjmp", "v(pi)"),
    ("mmap", "p(piiiii)"),
    ("munmap", "i(pi)"),
    ("pause", "i()"),
    ("pipe", "i(p)"),
    ("poll", "i(pii)"),
    ("recv", "i(ipii)"),
    ("sbrk", "p(i)"),
    ("scanf", "i(p.)"),
    ("select", "i(ipppp)"),
    ("send", "i(ipii)"),
    ("setjmp", "i(p)"),
    ("sigaction", "i(ipp)"),
    ("snprintf", "i(pip.)"),
    ("sprintf", "i(pp.)"),
    ("sscanf", "i(pp.)"),
    ("stat", "i(pp)"),
    ("swprintf", "i(pip.)"),
    ("swscanf", "i(pp.)"),
    ("syscall", "i(i.)"),
    ("times", "i(p)"),
    ("truncate", "i(pi)"),
    ("ulimit", "i(i.)"),
    ("vswprintf", "i(pipp)"),
    ("wait", "i(p)"),
    ("waitpid", "i(ipi)"),
    ("wprintf", "i(p.)"),
    ("wscanf", "i(p.)"),
];

/// What is added to the name of such a function.
const OTHER: &str = " of the program";

impl Program {
    /// Tells functions that are not those of the standard from those that are, by their names.
    pub(crate) fn set_apart(&mut self) {
        for function in self.functions.iter_mut().filter(|function| function.body.is_none()) {
            let is_refused = matches!(
                model(&function.name),
                Some(FunctionModel::Unsupported | FunctionModel::Formatted)
            );
            let shape = SHAPES.iter().find(|(name, _)| *name == function.name);
            if let Some((name, shape)) = shape.filter(|_| is_refused)
                && !has_shape(&self.types, function.ty, shape)
            {
                function.written = Some(name.to_string());
                function.name = format!("{name}{OTHER}");
            }
        }
    }
}

/// Whether a function is declared like this; without parameters in the declaration, only the result
/// counts.
fn has_shape(types: &Types, ty: Ty, shape: &str) -> bool {
    let Some(signature) = types.signature(ty) else { return true };
    let kind = |ty: Ty| match ty {
        Ty::VOID => b'v',
        _ if types.is_pointer(ty) => b'p',
        _ if types.is_integer(ty) => b'i',
        _ if types.is_float(ty) => b'd',
        _ => b'r',
    };
    let letters: Vec<u8> = shape.bytes().filter(|letter| !b"()".contains(letter)).collect();
    let Some((&result, mut wanted)) = letters.split_first() else { return true };
    if kind(signature.result) != result {
        return false;
    }
    let is_variadic = wanted.last() == Some(&b'.');
    if is_variadic {
        wanted = &wanted[..wanted.len() - 1];
    }
    let parameters = signature.parameters.iter().map(|&ty| kind(ty));
    !signature.prototype
        || signature.variadic == is_variadic && parameters.eq(wanted.iter().copied())
}

#[cfg(test)]
mod tests {
    use crate::types::DataModel;

    #[test]
    fn functions_with_other_declarations_are_others() {
        let text = "int swprintf(int *, const int *, ...); int wait(int *);
            int swscanf(const int *, const int *, ...); int select(struct s { int a; } *);
            int main(void) { return swprintf(0, 0) + wait(0) + swscanf(0, 0) + select(0); }";
        let program = crate::load_text(text, "t.c", DataModel::Ilp32).unwrap();
        let names = program.unknown_functions();
        assert_eq!(names, ["select of the program", "swprintf of the program"]);
        assert!(program.function_named("wait").is_some());
    }
}
