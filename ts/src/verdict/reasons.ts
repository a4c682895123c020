/**
 * Every reason that a verdict or a `KzgInputError` can give: closed unions of kebab-case codes. The names come from
 * the Rust crates' `Reason` enums, whose numbers the WASM module reports; a test holds this file against them.
 */

/** Malformed input, as `KzgInputError.code` names it. */
export type KzgInputCode =
  | 'not-bytes'
  | 'bad-hex'
  | 'not-an-array'
  | 'array-lengths'
  | 'blob-length'
  | 'commitment-length'
  | 'proof-length'
  | 'cell-length'
  | 'scalar-length'
  | 'cell-index'
  | 'scalar-not-canonical'
  | 'commitment-encoding'
  | 'commitment-not-on-curve'
  | 'commitment-not-in-subgroup'
  | 'proof-encoding'
  | 'proof-not-on-curve'
  | 'proof-not-in-subgroup'
  | 'commitment-index'
  | 'cell-count'
  | 'cell-order'
  | 'cells-inconsistent'
  | 'unit-layout'

/** The item is not even the thing that it claims to be: no proof was looked at. */
export type MalformedReason =
  | KzgInputCode
  | 'not-an-item'
  | 'versioned-hash-length'
  | 'bad-json'
  | 'sidecar-length'
  | 'sidecar-offsets'
  | 'blob-index'
  | 'column-index'
  | 'column-empty'
  | 'column-lengths'
  | 'too-many-blobs'
  | 'unsupported-fork'
  | 'transaction-type'
  | 'rlp'
  | 'transaction-fields'
  | 'not-network-form'
  | 'wrapper-version'
  | 'wrapper-fork'
  | 'blob-count'
  | 'sidecar-counts'
  | 'transaction-blob-length'
  | 'transaction-commitment-length'
  | 'transaction-proof-length'

/** The item is well formed and false. */
export type InvalidReason =
  | 'versioned-hash-version'
  | 'versioned-hash-mismatch'
  | 'versioned-hash-not-in-anchor'
  | 'commitment-not-in-anchor'
  | 'inclusion-mismatch'
  | 'header-mismatch'
  | 'proposer-signature'
  | 'proof-mismatch'

/** Nothing is known about the data; try again. */
export type ErrorReason = 'worker-crashed'

/** Every reason that a verdict can give. */
export type Reason = MalformedReason | InvalidReason | ErrorReason
