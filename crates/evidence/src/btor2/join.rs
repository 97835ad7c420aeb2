//! Several certificates of a BTOR2 model as one: see [`joined_certificate`](crate::join).
//!
//! The texts are put one behind the other. A variable of the model, which carries its id as a symbol,
//! is declared once, with the first values and steps that the first text gives it; all other lines get
//! new ids. In the end one bad is the disjunction of theirs.

use crate::rejection::Rejection;
use rustc_hash::FxHashMap;
use std::fmt::Write;

/// One certificate of all that these texts show.
pub fn joined_word_certificate(certificates: &[Vec<u8>]) -> Result<String, Rejection> {
    let mut joint = Joint::default();
    for certificate in certificates {
        let text = std::str::from_utf8(certificate).map_err(|_| unfit("it is no text"))?;
        let mut ids = FxHashMap::default();
        let mut known = FxHashMap::default();
        for line in text.lines() {
            let words: Vec<&str> = line.split_whitespace().collect();
            if !words.is_empty() && !words[0].starts_with(';') {
                joint.line(&words, &mut ids, &mut known)?;
            }
        }
    }
    joint.finish()
}

#[derive(Default)]
struct Joint {
    text: String,
    last: u64,
    /// The ids of the model's variables that are declared, with the word that declares them.
    shared: FxHashMap<String, (u64, String)>,
    /// The sort of width 1.
    bool_sort: Option<u64>,
    bads: Vec<u64>,
}

/// From the ids of one text to those of the joint one.
type Ids<'a> = FxHashMap<&'a str, u64>;

impl Joint {
    fn emit(&mut self, rest: &str) -> u64 {
        self.last += 1;
        let _ = writeln!(self.text, "{} {rest}", self.last);
        self.last
    }

    /// `known` has the variables that an earlier text has declared and defined.
    fn line<'a>(
        &mut self,
        words: &[&'a str],
        ids: &mut Ids<'a>,
        known: &mut FxHashMap<&'a str, ()>,
    ) -> Result<(), Rejection> {
        let [id, tag, rest @ ..] = words else { return Err(unfit("a line is too short")) };
        match (*tag, rest) {
            ("input" | "state", [_, symbol]) if symbol.starts_with('=') => {
                if let Some((there, kind)) = self.shared.get(*symbol) {
                    if kind != tag {
                        return Err(unfit("a variable is an input here and a state there"));
                    }
                    ids.insert(id, *there);
                    known.insert(id, ());
                    return Ok(());
                }
            }
            ("init" | "next", [_, state, _]) if known.contains_key(state) => return Ok(()),
            ("bad", [term, ..]) => {
                self.bads.push(*ids.get(term).ok_or_else(|| unfit("an id is undefined"))?);
                return Ok(());
            }
            _ => {}
        }
        // How many of the words behind the tag are ids.
        let count = match *tag {
            "sort" | "input" | "state" | "zero" | "one" | "ones" | "const" | "constd"
            | "consth" => 1,
            "slice" | "uext" | "sext" => 2,
            _ => rest.len(),
        };
        let mut line = tag.to_string();
        for (place, word) in rest.iter().enumerate() {
            let is_id = match (*tag, rest.first()) {
                ("sort", Some(&"array")) => place > 0,
                ("sort", _) => false,
                _ => place < count,
            };
            match ids.get(word) {
                Some(new) if is_id => line += &format!(" {new}"),
                None if is_id => return Err(unfit("an id is undefined")),
                _ => line += &format!(" {word}"),
            }
        }
        let new = self.emit(&line);
        ids.insert(id, new);
        match (*tag, rest) {
            ("sort", ["bitvec", "1"]) => self.bool_sort = Some(new),
            ("input" | "state", [_, symbol]) if symbol.starts_with('=') => {
                self.shared.insert(symbol.to_string(), (new, tag.to_string()));
            }
            _ => {}
        }
        Ok(())
    }

    fn finish(mut self) -> Result<String, Rejection> {
        let bads = std::mem::take(&mut self.bads);
        let [first, others @ ..] = &bads[..] else { return Err(unfit("it has no property")) };
        let mut any = *first;
        for other in others {
            let sort = self.bool_sort.ok_or_else(|| unfit("it has no sort of width 1"))?;
            any = self.emit(&format!("or {sort} {any} {other}"));
        }
        self.emit(&format!("bad {any}"));
        Ok(self.text)
    }
}

fn unfit(cause: &str) -> Rejection {
    Rejection::Malformed(format!("the certificate cannot be joined with others: {cause}"))
}
