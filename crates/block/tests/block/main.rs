//! Blocks: the official vectors, the twin, and bytes that somebody altered.
#![allow(clippy::expect_used, clippy::missing_panics_doc)] // tests

mod altered;
mod parts;
mod schema;
mod slots;
mod support;
mod twin;
mod vectors;
