//! Where a function is defined in the text of a program, and what is made of it where a contract stands
//! for the function ([`super::modular`]).
//!
//! The text is not parsed. What is found may be something else, as in a comment; then the text that is made
//! defines the function twice and is no program.

use super::modular::{Claim, OWN};
use wedge_c::annotation::{BEFORE, CHECK, RESULT};

/// Where a function is defined in a text.
pub(super) struct Definition<'t> {
    text: &'t str,
    begin: usize,
    name: usize,
    length: usize,
    /// Where the parentheses of the parameters open, and where they have ended.
    open: usize,
    close: usize,
}

impl<'t> Definition<'t> {
    /// The first place that reads like the definition of a function of this name.
    pub fn find(text: &'t str, name: &str) -> Option<Definition<'t>> {
        let bytes = text.as_bytes();
        let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        for (at, _) in text.match_indices(name) {
            let end = at + name.len();
            let is_word =
                !bytes[..at].last().is_some_and(is_part) && !bytes.get(end).is_some_and(is_part);
            let open = end + blanks(&bytes[end..]);
            if !is_word || bytes.get(open) != Some(&b'(') {
                continue;
            }
            let Some(close) = closing(bytes, open) else { continue };
            if bytes.get(close + blanks(&bytes[close..])) != Some(&b'{') {
                continue;
            }
            let begin = head(&text[..at]);
            return Some(Definition { text, begin, name: at, length: name.len(), open, close });
        }
        None
    }

    /// Whether a line, counted from 1, belongs to the head of the function.
    pub fn has_line(&self, line: u32) -> bool {
        let line_of = |at: usize| 1 + self.text[..at].matches('\n').count() as u32;
        (line_of(self.begin)..=line_of(self.close)).contains(&line)
    }

    /// The text with the function declared and its body under another name.
    pub fn renamed(&self) -> String {
        let (text, end) = (self.text, self.name + self.length);
        let declared = text[self.begin..self.close].replace(['\n', '\r'], " ");
        let name = &text[self.name..end];
        let before = format!("{}{declared}; {}", &text[..self.begin], &text[self.begin..self.name]);
        format!("{before}{OWN}body_{name}{}", &text[end..])
    }

    /// What stands for the function, and the proof that its body does what the contract says.
    pub fn stand_in(&self, claim: &Claim) -> Option<String> {
        let (text, end) = (self.text, self.name + self.length);
        let name = &text[self.name..end];
        let head = text[self.begin..self.close].replace(['\n', '\r'], " ");
        let result = text[self.begin..self.name].split_whitespace();
        let result = result.filter(|word| {
            !matches!(*word, "static" | "extern" | "inline" | "__inline" | "__inline__")
        });
        let result = result.collect::<Vec<_>>().join(" ");
        let inside = text[self.open + 1..self.close - 1].trim();
        let parameters: Vec<&str> = match inside {
            "" | "void" => Vec::new(),
            _ => inside.split(',').map(str::trim).collect(),
        };
        let declared: String = parameters.iter().map(|one| format!("{one}; ")).collect();
        let named = parameters.iter().map(|one| {
            let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
            one.rsplit(|c| !is_part(c)).next().filter(|name| !name.is_empty())
        });
        let names = named.collect::<Option<Vec<_>>>()?.join(", ");
        let (requires, ensures) = (&claim.requires, claim.ensures.replace(BEFORE, ""));
        let (check, assume) = (CHECK, "__wedge_assume");
        Some(format!(
            "{head} {{ {check}(({requires}) ? 1 : 0); {result} {RESULT}; \
             {assume}(({ensures}) ? 1 : 0); return {RESULT}; }}\n\
             void {OWN}proof_{name}(void) {{ {declared}{assume}(({requires}) ? 1 : 0); \
             {result} {RESULT} = {OWN}body_{name}({names}); {check}(({ensures}) ? 1 : 0); }}\n"
        ))
    }
}

fn blanks(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|byte| byte.is_ascii_whitespace()).count()
}

/// Behind the parenthesis that closes the one at `open`.
fn closing(bytes: &[u8], open: usize) -> Option<usize> {
    let mut depth = 0;
    for (at, byte) in bytes.iter().enumerate().skip(open) {
        match byte {
            b'(' => depth += 1,
            b')' => depth -= 1,
            b';' | b'{' | b'"' | b'\'' => return None,
            _ => {}
        }
        if depth == 0 {
            return Some(at + 1);
        }
    }
    None
}

/// Where the head of a function begins that goes on at the end of this text: behind the last
/// declaration, comment or line of the preprocessor.
fn head(before: &str) -> usize {
    let behind = |end: Option<usize>, length: usize| end.map_or(0, |at| at + length);
    let mut begin = behind(before.rfind([';', '}']), 1).max(behind(before.rfind("*/"), 2));
    let mut at = 0;
    for line in before.split_inclusive('\n') {
        at += line.len();
        if (line.trim_start().starts_with('#') || line.contains("//")) && line.ends_with('\n') {
            begin = begin.max(at);
        }
    }
    begin + blanks(&before.as_bytes()[begin..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_are_found_among_calls_and_declarations() {
        let text = "int f(int);\n// f(x) {\nint g(void) { if (f(3)) { return 1; } return 0; }\n\
                    static int\nf (int n)\n{ return f(n - 1); }\n";
        let found = Definition::find(&text[20..], "f").unwrap();
        assert!(found.has_line(3) && found.has_line(4) && !found.has_line(2) && !found.has_line(5));
        let renamed = found.renamed();
        let wanted =
            "static int f (int n); static int\n__wedge_modular_body_f (int n)\n{ return f(";
        assert!(renamed.contains(wanted), "{renamed}");
        assert_eq!(renamed.matches('\n').count(), text[20..].matches('\n').count());
        assert!(Definition::find("int f(int); int main(void) { return f(1); }", "f").is_none());
    }
}
