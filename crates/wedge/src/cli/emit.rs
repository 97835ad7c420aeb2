//! `wedge emit`: the model in another format.

use super::args::EmitArgs;
use std::io::Write;
use std::path::Path;
use wedge::input::{self, EmittedRoom};
use wedge::{AigerForm, Emission, InputError, Smt2Form};

pub fn run(args: &EmitArgs) -> Result<u8, InputError> {
    let model = input::read(&args.files, &args.program.options())?;
    let name = args.files.first().map_or(String::new(), |file| file.display().to_string());
    let emission = match (args.btor2, args.aiger) {
        (true, _) => Emission::Btor2,
        (_, true) => {
            let out = args.output.as_deref().and_then(Path::extension);
            let is_binary = out.is_some_and(|extension| extension == "aig");
            let form = if is_binary { AigerForm::Binary } else { AigerForm::Ascii };
            Emission::Aiger(args.property_index, form)
        }
        _ if args.smt2 => {
            let form = Smt2Form {
                unroll: args.unroll,
                limits: args.limits.into(),
                facts: args.facts,
                small_blocks: args.program.small_blocks,
            };
            Emission::Smt2(args.property_index, form)
        }
        _ => Emission::Dot,
    };
    let (depth, pool) = (args.depth.map(|n| n as usize), args.pool.map(|n| n as usize));
    let room = EmittedRoom { depth, pool };
    let failed = |cause: String| InputError(format!("{name}: {cause}"));
    // Encoding recurses over expressions.
    let builder = std::thread::Builder::new().stack_size(1 << 30);
    let thread = builder.spawn(move || model.emit(emission, room));
    let thread = thread.map_err(|error| failed(error.to_string()))?;
    let bytes = thread.join().map_err(|_| failed("internal error".into()))?.map_err(failed)?;
    match &args.output {
        Some(path) => std::fs::write(path, &bytes)
            .map_err(|error| InputError(format!("{}: {error}", path.display())))?,
        None => std::io::stdout()
            .write_all(&bytes)
            .map_err(|error| InputError(format!("standard output: {error}")))?,
    }
    Ok(0)
}
