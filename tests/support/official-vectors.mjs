/**
 * A program that has the packed package, for Deno, Bun and every Node: the official vectors of KZG verification, by a verifier that is asked
 * for nothing in particular, and by the specification's functions. `node official-vectors.mjs URL`, with the URL of `tests/vectors/`; it prints what
 * `tests/packed/engines.test.ts` calls `Found`, as JSON.
 */
import { createVerifier } from 'blobcheck'
import { KzgInputError, loadKzg } from 'blobcheck/kzg'
import { readFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'

const vectors = new URL(process.argv[2])
const { openPack } = await import(new URL('pack.mjs', vectors))
const index = JSON.parse(await readFile(new URL('kzg.json', vectors), 'utf8'))
const pack = openPack(index, gunzipSync(await readFile(new URL('kzg.pool', vectors))))

await using verifier = await createVerifier({ cache: false })
const kzg = await loadKzg()

/** What a call of the specification's functions comes to: null where the vectors say that it must fail. */
function answer(ask) {
  try {
    return ask()
  } catch (error) {
    if (error instanceof KzgInputError) return null
    throw error
  }
}

/** What verdicts on the items of a batch say of the whole of it. */
function together(verdicts) {
  const statuses = new Set(verdicts.map(({ status }) => status))
  if (statuses.has('error')) return 'error'
  return statuses.has('malformed') ? null : !statuses.has('invalid')
}

/** The rows of lists that have the length of the longest: an item that lacks a part is malformed. */
function rows(lists, item) {
  const length = Math.max(...Object.values(lists).map((list) => list.length))
  return Array.from({ length }, (_, row) => item(row))
}

const functions = {
  verify_kzg_proof: [
    ({ commitment, z, y, proof }) => answer(() => kzg.verifyKzgProof(commitment, z, y, proof)),
  ],
  verify_blob_kzg_proof: [
    ({ blob, commitment, proof }) => answer(() => kzg.verifyBlobKzgProof(blob, commitment, proof)),
    async (item) => together(await verifier.verifyBlobs([item])),
  ],
  verify_blob_kzg_proof_batch: [
    ({ blobs, commitments, proofs }) => answer(() => kzg.verifyBlobKzgProofBatch(blobs, commitments, proofs)),
    async ({ blobs, commitments, proofs }) => {
      const item = (row) => ({ blob: blobs[row], commitment: commitments[row], proof: proofs[row] })
      return together(await verifier.verifyBlobs(rows({ blobs, commitments, proofs }, item)))
    },
  ],
  verify_cell_kzg_proof_batch: [
    ({ commitments, cell_indices, cells, proofs }) =>
      answer(() => kzg.verifyCellKzgProofBatch(commitments, cell_indices, cells, proofs)),
    async ({ commitments, cell_indices, cells, proofs }) => {
      const item = (row) => ({
        ...{ commitment: commitments[row], cellIndex: cell_indices[row] },
        ...{ cell: cells[row], proof: proofs[row] },
      })
      return together(await verifier.verifyCells(rows({ commitments, cell_indices, cells, proofs }, item)))
    },
  ],
}

let answers = 0
const wrong = []
for (const [name, ways] of Object.entries(functions)) {
  for (const which of pack.list(name)) {
    const { input, output } = pack.value(`${name}/${which}`)
    for (const ask of ways) {
      answers++
      const found = await ask(input)
      if (found !== output) wrong.push(`${which}: ${found}`)
    }
  }
}
const { kernel, workers } = verifier
const { bun, deno, node } = process.versions
const name = bun ? `Bun ${bun}` : deno ? `Deno ${deno}` : `Node ${node}`
console.log(JSON.stringify({ name, kernel, workers, answers, wrong }))
