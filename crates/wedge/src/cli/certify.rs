//! `wedge certify`: checks a certificate or a witness.

use super::args::CertifyArgs;
use std::time::Instant;
use wedge::input::read_circuit;
use wedge::{CertifyError, InputError};
use wedge_sat::Interrupt;

pub fn run(args: &CertifyArgs) -> Result<u8, InputError> {
    let model = read_circuit(&args.model)?;
    let deadline = args.timeout.map(|t| Instant::now() + t);
    let interrupt = Interrupt { deadline, ..Interrupt::default() };
    match model.certify(&args.evidence, args.property_index, &interrupt) {
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
