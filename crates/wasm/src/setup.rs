//! The one setup of this instance: Ethereum's.

use blobcheck_kzg::{Setup, ETHEREUM};
use std::sync::OnceLock;

/// The setup, read at the first call.
pub(crate) fn setup() -> &'static Setup {
    static SETUP: OnceLock<Setup> = OnceLock::new();
    SETUP.get_or_init(|| match Setup::from_bytes(ETHEREUM) {
        Ok(setup) => setup,
        // The bytes are pinned by their hash when the module is built, and the crate's tests read them.
        Err(_) => unreachable!("the embedded setup is Ethereum's"),
    })
}
