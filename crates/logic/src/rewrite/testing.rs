//! Shared by the tests of the rules.
