#![no_main]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| blobcheck_properties::hold("kzg_bare_blobs", bytes));
