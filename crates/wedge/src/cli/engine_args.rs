//! The options of engines on the command line, made of what the registry says about them.

use clap::{Arg, ArgAction, ArgMatches, Args, Command, Error, FromArgMatches};
use wedge_engines::options::{EngineOption, Options, Takes};
use wedge_engines::registry;

/// The options of all engines.
pub struct EngineArgs {
    pub options: Options,
}

/// Every option once, with the names of the engines that read it.
fn all() -> Vec<(&'static EngineOption, Vec<&'static str>)> {
    let mut all: Vec<(&'static EngineOption, Vec<&'static str>)> = Vec::new();
    for entry in registry::engines() {
        for &option in entry.options {
            match all.iter_mut().find(|(known, _)| known.name == option.name) {
                Some((_, engines)) => engines.push(entry.name),
                None => all.push((option, vec![entry.name])),
            }
        }
    }
    all
}

fn argument(option: &'static EngineOption, engines: &[&'static str]) -> Arg {
    let mut help = format!("{}: {}", engines.join(", "), option.help);
    if !option.default.is_empty() {
        help += &format!(" [default: {}]", option.default);
    }
    let heading = match engines {
        [only] => format!("Options of {only}"),
        _ => "Options of several engines".to_string(),
    };
    let argument = Arg::new(option.name).long(option.name).help(help).help_heading(heading);
    match option.takes {
        Takes::Nothing(_) => argument.action(ArgAction::SetTrue),
        Takes::Value(shown, _) => argument.value_name(shown),
        Takes::OneOf(words) => {
            let words: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
            argument.value_parser(clap::builder::PossibleValuesParser::new(words))
        }
    }
}

impl Args for EngineArgs {
    fn augment_args(command: Command) -> Command {
        command.args(all().iter().map(|(option, engines)| argument(option, engines)))
    }

    fn augment_args_for_update(command: Command) -> Command {
        EngineArgs::augment_args(command)
    }
}

impl FromArgMatches for EngineArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<EngineArgs, Error> {
        let mut args = EngineArgs { options: Options::default() };
        args.update_from_arg_matches(matches)?;
        Ok(args)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        for (option, _) in all() {
            let text = match option.takes {
                Takes::Nothing(_) => matches.get_flag(option.name).then_some(""),
                _ => matches.get_one::<String>(option.name).map(String::as_str),
            };
            if let Some(text) = text {
                option.set(&mut self.options, text).map_err(|cause| {
                    let message =
                        format!("invalid value '{text}' for '--{}': {cause}\n", option.name);
                    Error::raw(clap::error::ErrorKind::ValueValidation, message)
                })?;
            }
        }
        Ok(())
    }
}
