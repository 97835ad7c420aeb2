//! Answers as files for people and other programs, made from plain data.
//!
//! ```text
//! shown (what there is to show) ──► page (HTML), vcd (waveforms), sarif (alarms in places)
//! ```
//!
//! This crate knows no model, no engine and no solver: whoever has an answer says what it is in the
//! terms of [`shown`]. A page is one file that needs no network; its scripts and styles are files of
//! the folder `web`, which `theme.css` and `table.js` lend to other pages, too.

pub mod page;
pub mod sarif;
pub mod shown;
pub mod text;
pub mod vcd;

/// Colours, fonts and tables, light and dark, for every page.
pub const THEME: &str = include_str!("../web/theme.css");
/// Tables that can be sorted and filtered.
pub const TABLES: &str = include_str!("../web/table.js");
