//! The ids under which a BTOR2 file declares its variables: certificates refer to them, and a
//! [`System`](wedge_model::System) does not keep them.

/// Ids in the order of declaration, which is that of the system's inputs and states.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct VariableIds {
    pub inputs: Vec<u64>,
    pub states: Vec<u64>,
}

impl VariableIds {
    /// Requires that the reader accepts `bytes`; other lines than declarations are skipped.
    pub fn scan(bytes: &[u8]) -> VariableIds {
        let mut ids = VariableIds::default();
        for line in bytes.split(|&b| b == b'\n') {
            let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
            let id = words.next().and_then(|word| std::str::from_utf8(word).ok()?.parse().ok());
            match (id, words.next()) {
                (Some(id), Some(b"input")) => ids.inputs.push(id),
                (Some(id), Some(b"state")) => ids.states.push(id),
                _ => {}
            }
        }
        ids
    }
}
