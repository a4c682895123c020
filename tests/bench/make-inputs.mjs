// A process that makes random valid data with c-kzg and writes it to files: `node make-inputs.mjs FOLDER BLOBS CELL_BLOBS`.
// `inputs.bin` holds everything, `first.bin` what a first verdict needs.
import blst from '@chainsafe/blst'
import ckzg from 'c-kzg'
import { randomBytes, randomFillSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { serialize } from 'node:v8'

const [folder, blobCount, cellBlobCount] = [process.argv[2], Number(process.argv[3]), Number(process.argv[4])]
process.on('disconnect', () => process.exit(1))

const inputs = { blobs: [], commitments: [], proofs: [], cells: [], cellProofs: [] }
if (blobCount > 0) ckzg.loadTrustedSetup(0)
for (let at = 0; at < blobCount; at++) {
  const blob = randomBlob()
  const commitment = ckzg.blobToKzgCommitment(blob)
  inputs.blobs.push(blob)
  inputs.commitments.push(commitment)
  inputs.proofs.push(ckzg.computeBlobKzgProof(blob, commitment))
  if (at < cellBlobCount) {
    const [cells, proofs] = ckzg.computeCellsAndKzgProofs(blob)
    inputs.cells.push(cells)
    inputs.cellProofs.push(proofs)
  }
  process.send?.({ done: at + 1, total: blobCount })
}
inputs.signature = signCommittee(512)

writeFileSync(join(folder, 'inputs.bin'), serialize(plain(inputs)))
writeFileSync(join(folder, 'first.bin'), serialize(plain(first(inputs))))
process.removeAllListeners('disconnect')
process.disconnect?.()

/** 4,096 random scalars below 2²⁵⁴, which is less than the modulus. */
function randomBlob() {
  const blob = randomFillSync(new Uint8Array(131_072))
  for (let at = 0; at < blob.length; at += 32) blob[at] &= 0x3f
  return blob
}

/** A message that a committee signed as one. */
function signCommittee(size) {
  const message = new Uint8Array(randomBytes(32))
  const secrets = Array.from({ length: size }, () => blst.SecretKey.fromKeygen(randomBytes(32)))
  return {
    keys: secrets.map((secret) => secret.toPublicKey().toBytes()),
    message,
    bytes: blst.aggregateSignatures(secrets.map((secret) => secret.sign(message))).toBytes(),
  }
}

function first({ blobs, commitments, proofs, cells, cellProofs }) {
  const one = (list) => list.slice(0, 1)
  return {
    blobs: one(blobs),
    commitments: one(commitments),
    proofs: one(proofs),
    cells: one(cells),
    cellProofs: one(cellProofs),
  }
}

/** Without Buffers and views of larger memory, so that what is read back is what was made. */
function plain(value) {
  if (value instanceof Uint8Array) return new Uint8Array(value)
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, plain(entry)]))
  return value
}
