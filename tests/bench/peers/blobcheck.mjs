// This package, by its built files, in the calling thread.
import { loadKzg } from '../../../dist/kzg/index.js'
import { lightClient } from './light-client.mjs'

/** The pipeline's rows need more than `blobcheck/kzg`; a first verdict does not, and shall not wait for it. */
const pipeline = () => import('../../../dist/index.js')
const proving = () => import('../../../dist/prover/index.js')

/** What a name may end with: tables of so many megabytes (docs/prover.md). */
const TABLES = { '13MB': { rows: 1, width: 6 }, '50MB': { rows: 1, width: 8 } }

export async function load(name) {
  const [, kernel, tables] = name.split(':')
  const kzg = await loadKzg({ kernel })
  const open = {}
  const verifier = (key, cache) =>
    (open[key] ??= pipeline().then(({ createVerifier, MemoryCache }) =>
      createVerifier({ kernel, workers: 0, cache: cache && new MemoryCache() }),
    ))

  let prover
  const prove =
    (op) =>
    async (...args) => {
      prover ??= proving().then(({ loadProver }) =>
        loadProver({ kernel, precompute: TABLES[tables] ?? 'none' }),
      )
      const answer = (await prover)[op](...args)
      return answer.cells === undefined ? answer : [...answer.cells, ...answer.proofs]
    }

  let bare
  const follower = lightClient(kernel)
  return {
    ...kzg,
    ...follower,
    async verifyBlobCommitments(...args) {
      bare ??= loadKzg({ kernel, commitmentSetup: true })
      return (await bare).verifyBlobCommitments(...args)
    },
    blobToKzgCommitment: prove('blobToKzgCommitment'),
    computeBlobKzgProof: prove('computeBlobKzgProof'),
    computeCellsAndKzgProofs: prove('computeCellsAndKzgProofs'),
    recoverCellsAndKzgProofs: prove('recoverCellsAndKzgProofs'),
    /** Everything but KZG: structure, lengths, canonical scalars, encodings. */
    checks: async (items) => await (await verifier('checks', false)).verifyBlobs(items, { mode: 'cheap' }),
    /** A blob as it comes from many peers: one KZG verification among them all, since no cache knows it. */
    dedup: async (items) => await (await verifier('dedup', false)).verifyBlobs(items),
    falseCells: async (items) => await (await verifier('falseCells', false)).verifyCells(items),
    cacheHit: async (items) => await (await verifier('cacheHit', true)).verifyBlobs(items),
    prepare: {
      ...follower.prepare,
      async cacheHit([items]) {
        await (await verifier('cacheHit', true)).verifyBlobs(items)
        return [items]
      },
    },
  }
}
