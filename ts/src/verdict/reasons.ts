/**
 * Every reason that a verdict or a `KzgInputError` can give: closed unions of kebab-case codes. The names come from
 * the Rust crates' `Reason` enums, whose numbers the WASM module reports; a test holds this file against them.
 */

/**
 * What is wrong with malformed input to KZG, as `KzgInputError.code` and as the `reason` of a malformed verdict name it.
 *
 * - `not-bytes`: where bytes have to be, there is neither a `Uint8Array` nor a string, or nothing at all; `bad-hex`: a string is not `0x` and an
 *   even number of hex digits.
 * - `not-an-array`: a list of a KZG function is no array; `array-lengths`: lists that must be equally long are not.
 * - `blob-length`, `commitment-length`, `proof-length`, `cell-length`, `scalar-length`: not 131,072, 48, 48, 2,048 or 32 bytes.
 * - `cell-index`: a cell's or column's index is no integer from 0 to 127.
 * - `commitment-index`: an index points outside the list of commitments.
 * - `scalar-not-canonical`: a field element is not below the order of the group, BLS_MODULUS.
 * - `commitment-encoding`, `proof-encoding`: the flags of a compressed point contradict each other, or its x is not below p.
 * - `commitment-not-on-curve`, `proof-not-on-curve`: x belongs to no point of the curve.
 * - `commitment-not-in-subgroup`, `proof-not-in-subgroup`: a point of the curve outside G1.
 * - `cell-count`, `cell-order`, `cells-inconsistent`: a recovery was given fewer than 64 or more than 128 cells, cells that are not in
 *   strictly ascending order of their indices, or more than 64 that no single blob has. Which of those is false cannot be told from the
 *   cells alone: verify them against the commitment first, and drop what is false by that.
 * - `unit-layout`: bytes inside this package that are not laid out as the module reads them; nobody's input leads to it.
 */
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

/**
 * Why an item is malformed: it is not even the thing that it claims to be, and no proof was looked at. Beside the codes of
 * `KzgInputCode` there are these.
 *
 * - `not-an-item`: neither bytes nor an object; `bad-json`: in Beacon API JSON a number, a list or an object is missing or is something else, or
 *   a root, a signature or the Merkle branch has another length.
 * - `versioned-hash-length`: a versioned hash is not 32 bytes.
 * - `commitment-missing`: a blob comes without proof, commitment and versioned hash, and there is no anchor that lists them; or a column of
 *   Gloas, which brings no commitments, without an anchor that does.
 * - `sidecar-length`, `sidecar-offsets`: SSZ of a wrong length, or with offsets that leave gaps, overlap or run out of the bytes.
 * - `blob-index`, `column-index`: the index is not below the number of blobs that a block of that epoch may have, or not below 128.
 * - `column-empty`, `column-lengths`: a column without commitments, or with other numbers of cells, commitments and proofs.
 * - `too-many-blobs`: more commitments than a block of that epoch may have (EIP-7892).
 * - `unsupported-fork`: at its slot this kind of sidecar does not exist, or is another container; or a transaction's `timestamp` is of a
 *   fork that this version does not know, by the network's config.
 * - `transaction-type`, `rlp`, `transaction-fields`: the first byte is not `0x03`, the RLP is not canonical, or a field is missing or of a
 *   wrong width (EIP-4844).
 * - `not-network-form`: the transaction comes without its blobs, as blocks have it.
 * - `wrapper-version`, `wrapper-fork`: the wrapper has a version that no EIP defines, or that the fork does not take (EIP-7594).
 * - `blob-count`: no blob, or more than the fork allows in one transaction.
 * - `sidecar-counts`: versioned hashes, blobs, commitments and proofs differ in number.
 * - `transaction-blob-length`, `transaction-commitment-length`, `transaction-proof-length`: not 131,072, 48 or 48 bytes.
 */
export type MalformedReason =
  | KzgInputCode
  | 'not-an-item'
  | 'versioned-hash-length'
  | 'commitment-missing'
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

/**
 * Why an item is invalid: it is well formed, and false.
 *
 * - `versioned-hash-version`: a versioned hash does not begin with `0x01`.
 * - `versioned-hash-mismatch`: a versioned hash is not that of its commitment.
 * - `versioned-hash-not-in-anchor`, `commitment-not-in-anchor`: the anchor does not list it.
 * - `inclusion-mismatch`: the Merkle branch does not lead from the commitments to the header's `body_root`.
 * - `header-mismatch`: the sidecar's header is not the anchor's; in Gloas, it names another block or slot.
 * - `proposer-signature`: the header that the sidecar brings was not signed with `proposerKey`.
 * - `proof-mismatch`: the KZG proof does not prove that the data belongs to the commitment.
 * - `commitment-mismatch`: the blob came without a proof, and its commitment is another, or has another versioned hash.
 */
export type InvalidReason =
  | 'versioned-hash-version'
  | 'versioned-hash-mismatch'
  | 'versioned-hash-not-in-anchor'
  | 'commitment-not-in-anchor'
  | 'inclusion-mismatch'
  | 'header-mismatch'
  | 'proposer-signature'
  | 'proof-mismatch'
  | 'commitment-mismatch'

/**
 * Why nothing is known about an item. Nobody is to blame; try again.
 *
 * - `worker-crashed`: two workers in a row ended while they had it; or the fast kernel refused it, and the baseline's module, which has the
 *   last word, could not be loaded.
 * - `setup-unavailable`: the blob came without a proof, and what commitments are computed with could not be loaded:
 *   its points (`prover-setup.bin`) or the module of `blobcheck/kzg`.
 */
export type ErrorReason = 'worker-crashed' | 'setup-unavailable'

/** Why KZG was not looked at: `cheap-mode`: the call asked for `mode: 'cheap'`, which stops before it. */
export type UncheckedReason = 'cheap-mode'

/** Every reason that a verdict can give, whatever its status; a valid one gives none. */
export type Reason = MalformedReason | InvalidReason | UncheckedReason | ErrorReason
