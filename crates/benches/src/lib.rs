//! Nothing but benches: `cargo bench -p blobcheck-benches`, with `--bench curve` those of one crate, with `--features simd` in another arithmetic.
