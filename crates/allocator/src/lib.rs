//! The allocator of the WebAssembly modules: two-level segregated fit (Masmano, Ripoll, Crespo and Real, "TLSF: a new dynamic memory allocator
//! for real-time systems", 2004), as `rlsf` has it, over a memory that grows.
//!
//! With brotli a module is 1.5 to 3.5 kB smaller than with the allocator that std has for this target, and whatever it does takes the same time
//! however much is allocated. Blocks are at multiples of 16 bytes, so that vectors of 128 bits need no more room than others.
//!
//! `rlsf` comes with a memory for WebAssembly. It holds the address at which a pool begins against the end of the memory, so that no pool is ever
//! made longer: what is freed beside a border of two pools stays in two pieces, and memory grows for what would fit in both. Here a pool grows
//! where it ends at the end of the memory, which is always so while nobody else makes the memory longer.
#![deny(missing_docs)]

use core::ptr::NonNull;
use rlsf::{FlexSource, FlexTlsf};

#[cfg(target_arch = "wasm32")]
mod global;
#[cfg(target_arch = "wasm32")]
pub use global::Allocator;

/// Bytes of a page, by which memories grow.
pub const PAGE: usize = 1 << 16;

/// A memory that grows at its end, by pages.
///
/// # Safety
///
/// What a memory has grown by is nobody else's, can be read and written, and stays where it is.
pub unsafe trait Memory {
    /// How many pages there are, those of others included.
    fn pages(&self) -> usize;

    /// Where a page begins: [`PAGE`] bytes behind the one before it.
    fn address(&self, page: usize) -> NonNull<u8>;

    /// Grows by so many pages; `false`, and nothing has changed, where there is no room for them.
    fn grow(&mut self, pages: usize) -> bool;
}

/// What is free in a memory: in 32 classes between each power of two and the next.
pub type Heap<M> = FlexTlsf<Pools<M>, usize, usize, { usize::BITS as usize }, 32>;

/// A heap in `memory`, of which nothing is taken before something is allocated.
pub const fn heap<M: Memory>(memory: M) -> Heap<M> {
    FlexTlsf::new(Pools(memory))
}

/// Where a heap takes its pools from.
#[derive(Debug)]
pub struct Pools<M>(M);

// SAFETY: pools are pages that the memory has grown by for this heap, which are nobody else's (`Memory`), and begin at multiples of `PAGE`.
unsafe impl<M: Memory> FlexSource for Pools<M> {
    unsafe fn alloc(&mut self, min_size: usize) -> Option<NonNull<[u8]>> {
        let (first, pages) = (self.0.pages(), min_size.div_ceil(PAGE));
        self.0.grow(pages).then(|| NonNull::slice_from_raw_parts(self.0.address(first), pages * PAGE))
    }

    unsafe fn realloc_inplace_grow(&mut self, pool: NonNull<[u8]>, min_new_len: usize) -> Option<usize> {
        let end = pool.cast::<u8>().as_ptr().wrapping_add(pool.len());
        let pages = (min_new_len - pool.len()).div_ceil(PAGE);
        let is_last = end == self.0.address(self.0.pages()).as_ptr();
        (is_last && self.0.grow(pages)).then(|| pool.len() + pages * PAGE)
    }

    fn supports_realloc_inplace_grow(&self) -> bool {
        true
    }

    fn min_align(&self) -> usize {
        PAGE
    }
}
