//! Types in the syntax of C, for messages and listings.

use super::{FloatKind, IntKind, Length, RecordKind, Signature, Ty, Type, Types};

impl IntKind {
    fn name(self) -> &'static str {
        match self {
            IntKind::Char => "char",
            IntKind::SChar => "signed char",
            IntKind::UChar => "unsigned char",
            IntKind::Short => "short",
            IntKind::UShort => "unsigned short",
            IntKind::Int => "int",
            IntKind::UInt => "unsigned int",
            IntKind::Long => "long",
            IntKind::ULong => "unsigned long",
            IntKind::LongLong => "long long",
            IntKind::ULongLong => "unsigned long long",
            IntKind::Int128 => "__int128",
            IntKind::UInt128 => "unsigned __int128",
        }
    }
}

impl FloatKind {
    fn name(self) -> &'static str {
        match self {
            FloatKind::Float => "float",
            FloatKind::Double => "double",
            FloatKind::LongDouble => "long double",
            FloatKind::Float128 => "_Float128",
        }
    }
}

impl Types {
    /// The type as C writes it.
    pub fn show(&self, ty: Ty) -> String {
        self.declare(ty, "")
    }

    /// A declaration of `name` with this type.
    pub fn declare(&self, ty: Ty, name: &str) -> String {
        match self.get(ty) {
            &Type::Pointer(target) => {
                let inner = format!("*{name}");
                let grouped = self.is_array(target) || self.is_function(target);
                self.declare(target, &if grouped { format!("({inner})") } else { inner })
            }
            &Type::Array(element, length) => {
                let length = match length {
                    Length::Fixed(count) => count.to_string(),
                    Length::Unknown => String::new(),
                    Length::Variable(_) => "*".to_string(),
                };
                self.declare(element, &format!("{name}[{length}]"))
            }
            Type::Function(signature) => {
                let parameters = self.show_parameters(signature);
                self.declare(signature.result, &format!("{name}({parameters})"))
            }
            _ if name.is_empty() => self.base_name(ty),
            _ => format!("{} {name}", self.base_name(ty)),
        }
    }

    fn show_parameters(&self, signature: &Signature) -> String {
        let mut shown: Vec<String> = signature.parameters.iter().map(|&p| self.show(p)).collect();
        if signature.variadic {
            shown.push("...".to_string());
        }
        if shown.is_empty() && signature.prototype {
            shown.push("void".to_string());
        }
        shown.join(", ")
    }

    fn base_name(&self, ty: Ty) -> String {
        match self.get(ty) {
            Type::Void => "void".to_string(),
            Type::Bool => "_Bool".to_string(),
            Type::Int(kind) => kind.name().to_string(),
            Type::Bits { width, signed } => {
                format!("{}:{width}", if *signed { "int" } else { "unsigned" })
            }
            Type::Float(kind) => kind.name().to_string(),
            Type::VaList => "va_list".to_string(),
            Type::Record(_) => self.record_name(ty),
            _ => {
                let tag = self.enumeration(ty).and_then(|e| e.tag.as_deref());
                format!("enum {}", tag.unwrap_or("<anonymous>"))
            }
        }
    }

    fn record_name(&self, ty: Ty) -> String {
        let Some(record) = self.record(ty) else { return "struct".to_string() };
        if let (None, Some(typedef)) = (&record.tag, &record.typedef) {
            return typedef.clone();
        }
        let kind = match record.kind {
            RecordKind::Struct => "struct",
            RecordKind::Union => "union",
        };
        format!("{kind} {}", record.tag.as_deref().unwrap_or("<anonymous>"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::DataModel;

    #[test]
    fn declarators_nest() {
        let mut types = Types::new(DataModel::Lp64);
        let array = types.array(Ty::INT, Length::Fixed(3));
        let pointer = types.pointer(array);
        let signature = Signature {
            result: pointer,
            parameters: vec![Ty::CHAR],
            variadic: true,
            prototype: true,
        };
        let function = types.intern(Type::Function(signature));
        let callback = types.pointer(function);
        assert_eq!(types.declare(pointer, "p"), "int (*p)[3]");
        assert_eq!(types.declare(callback, "f"), "int (*(*f)(char, ...))[3]");
        assert_eq!(types.show(types.size_type()), "unsigned long");
    }
}
