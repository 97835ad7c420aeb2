//! `wedge man` and `wedge completions`: made from the definition of the command line, so that they
//! know every command and every option of every engine.

use super::args::Cli;
use clap::{Args, Command, CommandFactory};
use clap_complete::Shell;
use clap_mangen::Man;
use std::io::Write;
use std::path::{Path, PathBuf};
use wedge::InputError;

#[derive(Args)]
pub struct ManArgs {
    /// The command whose page is printed; by default the page about all of them.
    #[arg(value_name = "COMMAND", conflicts_with = "out")]
    pub command: Option<String>,
    /// Write all pages to this directory, as wedge.1, wedge-check.1 and so on.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

#[derive(Args)]
pub struct CompletionsArgs {
    /// The shell.
    #[arg(value_enum)]
    pub shell: Shell,
}

/// A page: the name that `man` knows it by, and its text.
struct Page {
    name: String,
    text: Vec<u8>,
}

pub fn man(args: &ManArgs) -> Result<u8, InputError> {
    let pages = pages()?;
    if let Some(directory) = &args.out {
        write_all(directory, &pages)?;
        return Ok(0);
    }
    let wanted = args.command.as_ref().map_or("wedge".into(), |name| format!("wedge-{name}"));
    let page = pages.iter().find(|page| page.name == wanted);
    let page = page.ok_or_else(|| InputError(format!("there is no page {wanted}(1)")))?;
    print(&page.text)
}

pub fn completions(args: &CompletionsArgs) -> Result<u8, InputError> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "wedge", &mut text);
    print(&text)
}

/// The page about Wedge, then one for each command.
fn pages() -> Result<Vec<Page>, InputError> {
    let mut whole = Cli::command().disable_help_subcommand(true);
    whole.build();
    let mut pages = vec![page(whole.clone(), "wedge".into())?];
    for command in whole.get_subcommands().filter(|command| !command.is_hide_set()) {
        let name = format!("wedge-{}", command.get_name());
        pages.push(page(command.clone().name(name.clone()), name)?);
    }
    Ok(pages)
}

fn page(command: Command, name: String) -> Result<Page, InputError> {
    let mut text = Vec::new();
    let rendered = Man::new(command).manual("Wedge").render(&mut text);
    rendered.map_err(|error| InputError(format!("{name}(1): {error}")))?;
    Ok(Page { name, text })
}

fn write_all(directory: &Path, pages: &[Page]) -> Result<(), InputError> {
    let failed = |path: &Path, error| InputError(format!("{}: {error}", path.display()));
    std::fs::create_dir_all(directory).map_err(|error| failed(directory, error))?;
    for page in pages {
        let path = directory.join(format!("{}.1", page.name));
        std::fs::write(&path, &page.text).map_err(|error| failed(&path, error))?;
    }
    Ok(())
}

fn print(text: &[u8]) -> Result<u8, InputError> {
    let failed = |error| InputError(format!("standard output: {error}"));
    std::io::stdout().write_all(text).map_err(failed)?;
    Ok(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// Of two options with one name only one can be given.
    #[test]
    fn no_two_options_of_a_command_have_one_name() {
        for command in Cli::command().get_subcommands() {
            let mut names = BTreeSet::new();
            for name in command.get_arguments().filter_map(|argument| argument.get_long()) {
                assert!(names.insert(name), "{}: --{name}", command.get_name());
            }
        }
    }
}
