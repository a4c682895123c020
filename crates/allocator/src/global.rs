//! The memory of a WebAssembly module, and what allocates in it.

use crate::{heap, Heap, Memory, PAGE};
use core::{
    alloc::{GlobalAlloc, Layout},
    arch::wasm32::{memory_grow, memory_size},
    cell::UnsafeCell,
    ptr::{null_mut, with_exposed_provenance_mut, NonNull},
};

/// The number of the only memory that a module has.
const MEMORY: u32 = 0;

/// A module's own memory.
struct Linear;

// SAFETY: `memory.grow` gives pages that nobody has had, and a memory never becomes smaller.
unsafe impl Memory for Linear {
    fn pages(&self) -> usize {
        memory_size(MEMORY)
    }

    fn address(&self, page: usize) -> NonNull<u8> {
        // Nothing of Rust's own lies there. The end of 65,536 pages is no address: what stands for it is none at which a pool ends.
        NonNull::new(with_exposed_provenance_mut(page.wrapping_mul(PAGE))).unwrap_or(NonNull::dangling())
    }

    fn grow(&mut self, pages: usize) -> bool {
        memory_grow(MEMORY, pages) != usize::MAX
    }
}

/// A module's global allocator. What it cannot allocate is null, as [`GlobalAlloc`] has it: nothing here panics.
pub struct Allocator(UnsafeCell<Heap<Linear>>);

// SAFETY: a module without shared memory has one thread.
#[cfg(not(target_feature = "atomics"))]
unsafe impl Sync for Allocator {}

impl Allocator {
    /// An allocator that has taken no memory yet.
    #[must_use]
    pub const fn new() -> Self {
        Self(UnsafeCell::new(heap(Linear)))
    }
}

// SAFETY: blocks are those of `Heap`, which gives each to one owner, as large and as aligned as its layout says. Nothing that is called while the
// heap is borrowed allocates.
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: one thread, and no borrow is left by another call.
        let heap = unsafe { &mut *self.0.get() };
        heap.allocate(layout).map_or(null_mut(), NonNull::as_ptr)
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: one thread, and no borrow is left by another call; the caller has the block from `alloc`, with this layout.
        unsafe {
            let heap = &mut *self.0.get();
            heap.deallocate(NonNull::new_unchecked(block), layout.align());
        }
    }
}
