//! Terms as a whole: operators against an independent reference, random terms, deep terms,
//! substitution, printing, and the limits of blasting.

mod blasting;
mod deep;
mod operators;
mod printing;
mod random_terms;
mod reference;
mod terms;
mod values;
