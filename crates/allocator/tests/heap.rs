//! A heap in a simulated memory: whatever is allocated and freed, blocks are their owners' alone, and memory that was freed is used again.

#![allow(clippy::unwrap_used)] // tests

use blobcheck_allocator::{heap, Heap, Memory, PAGE};
use blobcheck_testing::Rng;
use std::alloc::{alloc, dealloc, Layout};
use std::cell::Cell;
use std::ptr::NonNull;

/// A memory of so many pages at most, of which the first are those of the program.
struct Simulated<'a> {
    start: NonNull<u8>,
    most: usize,
    pages: &'a Cell<usize>,
}

impl<'a> Simulated<'a> {
    fn new(most: usize, pages: &'a Cell<usize>) -> Self {
        // SAFETY: the layout is not of size zero.
        let start = unsafe { alloc(Self::layout(most)) };
        Self { start: NonNull::new(start).unwrap(), most, pages }
    }

    fn layout(most: usize) -> Layout {
        Layout::from_size_align(most * PAGE, PAGE).unwrap()
    }
}

// SAFETY: pages lie in one allocation, which is given back with the memory.
unsafe impl Memory for Simulated<'_> {
    fn pages(&self) -> usize {
        self.pages.get()
    }

    fn address(&self, page: usize) -> NonNull<u8> {
        NonNull::new(self.start.as_ptr().wrapping_add(page * PAGE)).unwrap()
    }

    fn grow(&mut self, pages: usize) -> bool {
        let fits = self.pages.get() + pages <= self.most;
        if fits {
            self.pages.set(self.pages.get() + pages);
        }
        fits
    }
}

impl Drop for Simulated<'_> {
    fn drop(&mut self) {
        // SAFETY: this is what was allocated.
        unsafe { dealloc(self.start.as_ptr(), Self::layout(self.most)) }
    }
}

/// A block that is filled with a byte of its own.
struct Block {
    at: NonNull<u8>,
    layout: Layout,
    filled: u8,
}

impl Block {
    fn of<M: Memory>(heap: &mut Heap<M>, layout: Layout, filled: u8) -> Option<Self> {
        let at = heap.allocate(layout)?;
        assert_eq!(at.as_ptr() as usize % layout.align(), 0);
        // SAFETY: the block is as large.
        unsafe { at.as_ptr().write_bytes(filled, layout.size()) };
        Some(Self { at, layout, filled })
    }

    /// Frees the block, in which nobody may have written.
    fn free<M: Memory>(self, heap: &mut Heap<M>) {
        // SAFETY: the block is as large, it has been filled, and nobody uses it any more.
        unsafe {
            let bytes = std::slice::from_raw_parts(self.at.as_ptr(), self.layout.size());
            assert!(bytes.iter().all(|byte| *byte == self.filled), "somebody has written here");
            heap.deallocate(self.at, self.layout.align());
        }
    }
}

fn layout(size: usize, align: usize) -> Layout {
    Layout::from_size_align(size, align).unwrap()
}

/// From single bytes to several pages, and alignments from none to that of a page.
fn any_layout(random: &mut Rng) -> Layout {
    let most = 1 << (1 + random.below(18));
    let size = 1 + random.below(most) as usize;
    layout(size, 1 << [0, 2, 3, 4, 4, 4, 6, 12][random.below(8) as usize])
}

#[test]
fn blocks_are_their_owners_alone() {
    const MOST: usize = 60;
    for seed in 0..8 {
        let (mut random, pages) = (Rng(seed), Cell::new(17));
        let mut heap = heap(Simulated::new(MOST, &pages));
        let (mut blocks, mut refused) = (Vec::new(), 0);
        for step in 0..4_000u32 {
            // Now more is allocated than freed, now less: all of the memory is used, and most of it is given back.
            let frees = if step / 500 % 2 == 0 { 3 } else { 7 };
            if random.below(10) >= frees || blocks.is_empty() {
                match Block::of(&mut heap, any_layout(&mut random), step as u8) {
                    Some(block) => blocks.push(block),
                    None => refused += 1,
                }
            } else {
                blocks.swap_remove(random.below(blocks.len() as u64) as usize).free(&mut heap);
            }
        }
        assert!(
            refused > 0 && pages.get() > MOST - 5,
            "seed {seed}: {refused} were refused, {} pages",
            pages.get()
        );
        blocks.into_iter().for_each(|block| block.free(&mut heap));
        // All is one block again: memory that grew in many steps is one pool.
        let whole = layout((MOST - 17) * PAGE * 15 / 16, 16);
        Block::of(&mut heap, whole, 1).unwrap().free(&mut heap);
    }
}

#[test]
fn the_same_work_needs_no_more_memory_the_second_time() {
    let pages = Cell::new(1);
    let mut heap = heap(Simulated::new(2_000, &pages));
    let mut most = 0;
    for round in 0..50 {
        let mut random = Rng(7);
        let blocks: Vec<Block> =
            (0..300).filter_map(|step| Block::of(&mut heap, any_layout(&mut random), step as u8)).collect();
        assert_eq!(blocks.len(), 300);
        blocks.into_iter().for_each(|block| block.free(&mut heap));
        if round == 0 {
            most = pages.get();
        }
        assert_eq!(pages.get(), most, "round {round}");
    }
}

/// As a list that grows by doubling is copied: the old block is free only when the new one is there.
#[test]
fn what_grows_takes_little_more_than_twice_its_last_size() {
    let pages = Cell::new(1);
    let mut heap = heap(Simulated::new(2_000, &pages));
    let mut block = Block::of(&mut heap, layout(PAGE, 8), 1).unwrap();
    for doubled in 1..=9 {
        let next = Block::of(&mut heap, layout(PAGE << doubled, 8), doubled as u8).unwrap();
        block.free(&mut heap);
        block = next;
    }
    assert!(pages.get() < 1_100, "{}", pages.get());
    block.free(&mut heap);
}

#[test]
fn what_has_no_room_is_refused_and_nothing_else_changes() {
    let pages = Cell::new(2);
    let mut heap = heap(Simulated::new(12, &pages));
    let kept = Block::of(&mut heap, layout(3 * PAGE, 16), 9).unwrap();
    let before = pages.get();
    for size in [10 * PAGE, 1 << 30, isize::MAX as usize - 4_095] {
        assert!(heap.allocate(layout(size, 16)).is_none(), "{size}");
    }
    assert_eq!(pages.get(), before);
    let other = Block::of(&mut heap, layout(4 * PAGE, 16), 8).unwrap();
    kept.free(&mut heap);
    other.free(&mut heap);
}

/// Pages of somebody else's between two pools.
#[test]
fn memory_that_another_has_taken_is_left_alone() {
    let pages = Cell::new(0);
    let memory = Simulated::new(64, &pages);
    let (theirs, size) = (memory.address(3).as_ptr(), 2 * PAGE);
    let mut heap = heap(memory);
    let first = Block::of(&mut heap, layout(2 * PAGE, 16), 1).unwrap();
    assert_eq!(pages.get(), 3);
    pages.set(5);
    // SAFETY: the pages are in the simulated memory, and the heap has not got them.
    unsafe { theirs.write_bytes(0xee, size) };
    let mut random = Rng(3);
    let blocks: Vec<Block> =
        (0..200).filter_map(|step| Block::of(&mut heap, any_layout(&mut random), step as u8)).collect();
    assert!(pages.get() > 40);
    first.free(&mut heap);
    blocks.into_iter().for_each(|block| block.free(&mut heap));
    // SAFETY: as above.
    let bytes = unsafe { std::slice::from_raw_parts(theirs, size) };
    assert!(bytes.iter().all(|byte| *byte == 0xee));
}
