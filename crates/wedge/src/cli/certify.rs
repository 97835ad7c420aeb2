//! `wedge certify`: checks a certificate or a witness.

use super::args::CertifyArgs;
use std::time::Instant;
use wedge::input::read_circuit;
use wedge::{CertifyError, InputError, Question};
use wedge_sat::Interrupt;

pub fn run(args: &CertifyArgs) -> Result<u8, InputError> {
    let model = read_circuit(&args.model)?;
    let deadline = args.timeout.map(|t| Instant::now() + t);
    let interrupt = Interrupt { deadline, ..Interrupt::default() };
    let all = || Question::any_of((0..model.num_bads()).collect());
    let question = args.property_index.clone().or_else(all).unwrap_or_else(|| Question::one(0));
    let missing = question.properties().iter().find(|&&n| n >= model.num_properties());
    if let Some(missing) = missing {
        let count = model.num_properties();
        let cause = format!("there is no property {missing}; the file has {count}");
        return Err(InputError(format!("{}: {cause}", args.model.display())));
    }
    match model.certify(&args.evidence, &question, &interrupt) {
        Ok(kind) => {
            println!("ACCEPTED({kind})");
            Ok(0)
        }
        Err(CertifyError::Rejected(cause)) => {
            println!("REJECTED({cause})");
            Ok(1)
        }
        Err(CertifyError::Undecided(cause)) => {
            println!("UNKNOWN({cause})");
            Ok(30)
        }
        Err(CertifyError::Input(message)) => Err(InputError(message)),
    }
}
