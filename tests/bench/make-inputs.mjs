// A process that makes random valid data and writes it to files: `node make-inputs.mjs FOLDER BLOBS CELL_BLOBS COMMITTEES
// CHAINS`. `inputs.bin` holds everything, `first.bin` what a first verdict needs. c-kzg makes the data, so that no implementation
// that is measured beside it vouches for itself; where it is not installed, this package's own prover does.
import { randomFillSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { serialize } from 'node:v8'

const [folder, ...counts] = process.argv.slice(2)
const [blobCount, cellBlobCount, committeeCount, chainCount] = counts.map(Number)
process.on('disconnect', () => process.exit(1))

const inputs = { blobs: [], commitments: [], proofs: [], cells: [], cellProofs: [] }
const prover = blobCount > 0 ? await loadProver() : null
for (let at = 0; at < blobCount; at++) {
  const blob = randomBlob()
  const commitment = prover.blobToKzgCommitment(blob)
  inputs.blobs.push(blob)
  inputs.commitments.push(commitment)
  inputs.proofs.push(prover.computeBlobKzgProof(blob, commitment))
  if (at < cellBlobCount) {
    const [cells, proofs] = prover.computeCellsAndKzgProofs(blob)
    inputs.cells.push(cells)
    inputs.cellProofs.push(proofs)
  }
  process.send?.({ done: at + 1, total: blobCount })
}
if (committeeCount > 0) inputs.committee = (await import('./make-committee.mjs')).makeCommittee()
if (chainCount > 0) inputs.chain = await (await import('./make-committee.mjs')).makeChainToFollow()

writeFileSync(join(folder, 'inputs.bin'), serialize(plain(inputs)))
writeFileSync(join(folder, 'first.bin'), serialize(plain(first(inputs))))
process.removeAllListeners('disconnect')
process.disconnect?.()

/** The specification's proving functions, by c-kzg or by this package. */
async function loadProver() {
  try {
    const { default: ckzg } = await import('c-kzg')
    ckzg.loadTrustedSetup(0)
    return ckzg
  } catch (error) {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
    const { loadProver: load } = await import('../../dist/prover/index.js')
    const own = await load()
    return {
      ...own,
      computeCellsAndKzgProofs(blob) {
        const { cells, proofs } = own.computeCellsAndKzgProofs(blob)
        return [cells, proofs]
      },
    }
  }
}

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
