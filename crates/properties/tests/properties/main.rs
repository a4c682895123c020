//! What must hold of any input, of inputs that are drawn and of those that fuzzing has kept: one program, since what the oracles need takes a second
//! to make.
#![allow(clippy::expect_used, clippy::unwrap_used)] // tests

mod drawn;
mod seeds;
