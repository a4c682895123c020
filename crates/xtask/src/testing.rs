//! What the tests of several tools make modules of.

use wasm_encoder::{MemorySection, MemoryType};

/// One memory, of one page at first.
pub fn one_memory() -> MemorySection {
    let mut memories = MemorySection::new();
    memories.memory(MemoryType {
        minimum: 1,
        maximum: None,
        memory64: false,
        shared: false,
        page_size_log2: None,
    });
    memories
}
