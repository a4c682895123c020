//! Puts all mutants of Rust files into them at once, so that all are compiled once, and a process asks at each place whether its mutant is the one
//! to run. Reads the files and the mutants that cargo-mutants lists from its input, and writes the altered texts, as JSON both.

mod place;
mod write;

use std::io::Read;

use serde::{Deserialize, Serialize};

/// A mutant as cargo-mutants lists it, with the number that the process is asked for.
#[derive(Deserialize)]
pub struct Mutant {
    id: u32,
    genre: String,
    span: Span,
    replacement: String,
}

/// Lines and columns from 1, in characters; the end is not part of it.
#[derive(Deserialize)]
struct Span {
    start: Position,
    end: Position,
}

#[derive(Deserialize)]
struct Position {
    line: usize,
    column: usize,
}

#[derive(Deserialize)]
struct File {
    path: String,
    text: String,
    mutants: Vec<Mutant>,
}

#[derive(Serialize)]
struct Instrumented {
    path: String,
    text: String,
    /// Where the text of each mutant is, in bytes of `text`, and what it is a part of.
    chunks: Vec<Chunk>,
    /// What has no place in an expression.
    left: Vec<u32>,
}

/// A mutant that was put in: `[from, to)` is what is written for it alone, `[outer_from, outer_to)` the whole expression, the original included.
#[derive(Serialize)]
pub struct Chunk {
    id: u32,
    from: usize,
    to: usize,
    outer_from: usize,
    outer_to: usize,
}

type Fault = Box<dyn std::error::Error>;

fn main() -> Result<(), Fault> {
    let mut input = String::new();
    std::io::stdin().read_to_string(&mut input)?;
    let files: Vec<File> = serde_json::from_str(&input)?;
    let all: Vec<Instrumented> = files.iter().map(instrument).collect::<Result<_, _>>()?;
    serde_json::to_writer(std::io::stdout(), &all)?;
    Ok(())
}

fn instrument(file: &File) -> Result<Instrumented, Fault> {
    let (places, left) = place::places(&file.text, &file.mutants)?;
    let (text, chunks) = write::write(&file.text, places);
    Ok(Instrumented { path: file.path.clone(), text, chunks, left })
}
