// This package, by its built files, in the calling thread.
import { loadKzg } from '../../../dist/kzg/index.js'

/** The pipeline's rows need more than `blobcheck/kzg`; a first verdict does not, and shall not wait for it. */
const pipeline = () => import('../../../dist/index.js')

export async function load(name) {
  const kernel = name.split(':')[1]
  const kzg = await loadKzg({ kernel })
  const open = {}
  const verifier = (key, cache) =>
    (open[key] ??= pipeline().then(({ createVerifier, MemoryCache }) =>
      createVerifier({ kernel, workers: 0, cache: cache && new MemoryCache() }),
    ))

  return {
    ...kzg,
    /** Everything but KZG: structure, lengths, canonical scalars, encodings. */
    checks: async (items) => await (await verifier('checks', false)).verifyBlobs(items, { mode: 'cheap' }),
    /** A blob as it comes from many peers: one KZG verification among them all, since no cache knows it. */
    dedup: async (items) => await (await verifier('dedup', false)).verifyBlobs(items),
    cacheHit: async (items) => await (await verifier('cacheHit', true)).verifyBlobs(items),
    prepare: {
      async cacheHit([items]) {
        await (await verifier('cacheHit', true)).verifyBlobs(items)
        return [items]
      },
    },
  }
}
