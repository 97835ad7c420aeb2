//! C programs: reading, typing, concrete execution and encoding.

pub mod annotation;
pub mod arith;
mod closed;
pub mod encode;
pub mod entry;
pub mod error;
pub mod execute;
mod failures;
mod features;
pub mod flat;
pub mod interp;
pub mod library;
mod load;
pub mod points;
mod promises;
pub mod property;
pub mod reach;
mod read;
pub mod source;
pub mod task;
pub mod typed;
pub mod types;
mod typing;
pub mod violation;

pub use entry::EntryPoint;
pub use error::{Cause, Error, Warning};
pub use features::Features;
pub use load::{Loaded, load, load_annotated, load_text};
pub use property::{Property, PropertyKind, read_property};
pub use read::needs_preprocessor;
pub use task::{Task, is_task, read_task};
pub use types::DataModel;
pub use violation::{CheckPoint, Kind, Properties, Violation};
