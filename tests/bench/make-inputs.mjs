// A process that makes random valid data with c-kzg and writes it to files: `node make-inputs.mjs FOLDER BLOBS CELL_BLOBS
// CHAINS`, where the last is 1 if there shall be a chain to follow. `inputs.bin` holds everything, `first.bin` what a first verdict needs.
import ckzg from 'c-kzg'
import { randomFillSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { serialize } from 'node:v8'
import { makeChainToFollow, makeCommittee } from './make-committee.mjs'

const [folder, ...counts] = process.argv.slice(2)
const [blobCount, cellBlobCount, chainCount] = counts.map(Number)
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
inputs.committee = makeCommittee()
if (chainCount > 0) inputs.chain = await makeChainToFollow()

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
