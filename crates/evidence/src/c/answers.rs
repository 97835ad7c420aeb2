//! The answers of an execution as an oracle of another one.
//!
//! They are given in their order; each must be asked for at the same place and width again.

use super::replay::Given;
use super::unwritten::Unwritten;
use wedge_c::Properties;
use wedge_c::interp::{Answer, Birth, Choice, ChoiceKind, Life, Oracle};
use wedge_c::typed::Program;

pub struct Answers<'a> {
    program: &'a Program,
    rest: &'a [Answer],
    /// What was answered to questions about calls, in order.
    pub given: Vec<Given>,
    /// Whether a value that is not the result of a call was asked for.
    pub uninitialised: bool,
    disagreement: Option<String>,
    unwritten: Unwritten,
}

impl<'a> Answers<'a> {
    pub fn new(
        program: &'a Program,
        properties: &Properties,
        answers: &'a [Answer],
    ) -> Answers<'a> {
        let (given, disagreement) = (Vec::new(), None);
        let unwritten = Unwritten::new(properties);
        Answers { program, rest: answers, given, uninitialised: false, disagreement, unwritten }
    }

    /// Where the run first asked something else than the recorded one.
    pub fn disagreement(&self) -> Option<String> {
        let unused = || format!("{} answers were not asked for", self.rest.len());
        self.disagreement.clone().or_else(|| (!self.rest.is_empty()).then(unused))
    }

    fn next(&mut self, choice: &Choice) -> u128 {
        if let Some((answer, rest)) = self.rest.split_first()
            && answer.position == choice.position
            && answer.width == choice.width
        {
            self.rest = rest;
            return answer.bits;
        }
        if self.disagreement.is_none() {
            let place = self.program.files.show(choice.position);
            self.disagreement = Some(match self.rest.first() {
                Some(answer) => {
                    let there = self.program.files.show(answer.position);
                    format!("a value is asked for at {place}, it was recorded for {there}")
                }
                None => format!("a value is asked for at {place}, after the last recorded one"),
            });
        }
        0
    }
}

impl Oracle for Answers<'_> {
    fn choose(&mut self, choice: &Choice) -> u128 {
        let bits = self.next(choice);
        self.unwritten.chosen(self.program, choice, bits);
        let (name, is_input) = match &choice.kind {
            ChoiceKind::Input(name) => (*name, true),
            ChoiceKind::External(name) => (*name, false),
            _ => {
                self.uninitialised = true;
                return bits;
            }
        };
        let (ty, position) = (choice.ty, choice.position);
        self.given.push(Given { name: name.to_string(), is_input, ty, bits, position });
        bits
    }

    /// A page is as large; the first one belongs to nobody.
    fn environment(&self) -> Option<u64> {
        Some(1 << 12)
    }

    fn leads_nowhere(&self, address: u64) -> bool {
        self.unwritten.leads_nowhere(address)
    }

    fn begin(&mut self, life: Life, birth: Birth) {
        self.unwritten.begin(self.program, life, birth);
    }

    fn is_environment_writable(&self) -> bool {
        true
    }

    fn may_leap(&self) -> bool {
        true
    }

    /// A run that asks otherwise than it was recorded shows nothing.
    fn wants_stop(&mut self, _: u64) -> bool {
        self.disagreement.is_some()
    }
}

#[cfg(test)]
mod tests {
    use crate::c::replay_answers;
    use wedge_c::execute::{Finding, search};
    use wedge_c::interp::Answer;
    use wedge_c::typed::Program;
    use wedge_c::{DataModel, Properties};

    fn program() -> Program {
        let text = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
            int main(void) { int y; int x = __VERIFIER_nondet_int();
            if (x == 4321) if (y != 7) reach_error(); return 0; }";
        wedge_c::load_text(text, "t.c", DataModel::Ilp32).unwrap()
    }

    fn found(program: &Program) -> (Vec<Answer>, u64) {
        match search(program, &Properties::default(), 3, &|| false).0 {
            Finding::Error { answers, steps } => (answers, steps),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn recorded_answers_reach_the_error_again() {
        let program = program();
        let (answers, steps) = found(&program);
        let usual = Properties::default();
        let alarm = replay_answers(&program, &usual, &answers, steps, 100).unwrap();
        assert_eq!(alarm.steps, steps);
        assert!(alarm.uninitialised);
        assert_eq!(alarm.given.len(), 1);
        assert_eq!((alarm.given[0].bits, alarm.given[0].is_input), (4321, true));
    }

    #[test]
    fn other_answers_are_rejected() {
        let program = program();
        let (answers, steps) = found(&program);
        let usual = Properties::default();
        let reason =
            |answers: &[Answer]| replay_answers(&program, &usual, answers, steps, 0).err().unwrap();
        let mut wrong = answers.clone();
        wrong[0].bits = 1;
        assert!(reason(&wrong).contains("status 0; 1 answers were not asked for"));
        let mut elsewhere = answers.clone();
        elsewhere[0].position.column += 1;
        assert!(reason(&elsewhere).contains("it was recorded for"));
        assert!(reason(&[]).contains("after the last recorded one"));
        let too_short = replay_answers(&program, &usual, &answers, steps - 2, 0).err().unwrap();
        assert!(too_short.contains("does not end in time"));
    }
}
