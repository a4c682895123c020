//! Why something is refused.
//!
//! Each crate that refuses inputs has a closed set of reasons, written once with [`reasons!`]: a code that crosses the
//! WebAssembly boundary, a name that JavaScript's users see, and the [`Stage`] at which it is found.
//!
//! | codes | crate |
//! |---|---|
//! | 0 | nothing is wrong |
//! | 1 – 63 | `blobcheck-kzg` |
//! | 64 – 127 | `blobcheck-beacon` |
//! | 128 – 191 | `blobcheck-execution` |
//! | 192 – 254 | `blobcheck-light-client` |
#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod reasons;
mod stage;

pub use stage::Stage;
