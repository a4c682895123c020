//! The light-client sync protocol of the consensus specs, Altair to Gloas: pure functions over a plain store.
//!
//! From the root of one block that the user trusts, it follows the chain by what sync committees sign. Names are the
//! specification's (`altair/light-client/sync-protocol.md`, and its successors to Gloas's; Fulu keeps Electra's objects).
//!
//! | module | what it holds |
//! |---|---|
//! | [`store`] | what a light client knows |
//! | [`initialize`] | a store from a bootstrap |
//! | [`validate`] | whether an update may be believed, short of its signature |
//! | [`signature`] | what is signed, and by whom; the proposer's signature |
//! | [`committees`] | sync committees as points, each decompressed once |
//! | [`apply`] | what a believed update changes |
//! | [`process`] | updates, finality updates, optimistic updates, one by one |
//! | [`catch_up`] | many updates, and one pairing product for their signatures |
//! | [`force_update`] | how a store goes on through long times without finality |
//! | [`ranking`] | which of two updates is better |
//! | [`header`] | whether what a header says of the execution layer is in its block |
//! | [`parent_chain`] | from a trusted header back to older ones |
//! | [`encoding`] | a store as bytes |
//! | [`view`] | stores and updates in layouts of fixed size |
//! | [`reason`] | the closed set of refusals, with their codes |
//!
//! No function panics, whatever it is given, and none leaves a store half changed.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod apply;
pub mod catch_up;
pub mod committees;
pub mod encoding;
pub mod force_update;
pub mod header;
pub mod initialize;
pub mod parent_chain;
pub mod process;
pub mod ranking;
pub mod reason;
pub mod signature;
pub mod store;
pub mod validate;
pub mod view;

pub use apply::apply_light_client_update;
pub use catch_up::{process_updates, Processed};
pub use committees::Committees;
pub use force_update::process_light_client_store_force_update;
pub use header::is_valid_light_client_header;
pub use initialize::initialize_light_client_store;
pub use parent_chain::verify_parent_chain;
pub use process::{process_light_client_update, validate_light_client_update};
pub use ranking::is_better_update;
pub use reason::Reason;
pub use store::LightClientStore;
