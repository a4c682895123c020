/** Many peers deliver the same blobs at once, as gossip does: each proof is verified once. */
import { createVerifier, fromSource, MemoryCache, type TraceEvent, type Verdict } from 'blobcheck'
import { orAborted } from '../../shared/watch.ts'
import { integer, milliseconds } from '../../shared/words.ts'
import { loadBlock } from '../../embedded/block.ts'
import type { Experiment } from './frame.ts'
import { fillTable } from './table.ts'

const PEERS = 50

const LINES = `import { createVerifier, fromSource, MemoryCache } from 'blobcheck'
import { readEmbeddedSidecars } from 'blobcheck/serve/node'

const { data } = JSON.parse(await readEmbeddedSidecars())
const verifier = await createVerifier({ network: 'holesky', cache: new MemoryCache() })
const peers = Array.from({ length: ${PEERS} }, (_, peer) =>
  verifier.verifyBlobSidecars(data.map((sidecar) => fromSource(sidecar, \`peer \${peer}\`))),
)
const verdicts = (await Promise.all(peers)).flat()
console.log(verdicts.filter(({ status }) => status === 'valid').length, 'valid')
console.log(verifier.stats().kzgItems, 'proofs verified')
await verifier.dispose()
`

export const flood: Experiment = {
  name: 'flood',
  lines: () => LINES,
  async run({ signal, progress }) {
    const { sidecars } = await orAborted(loadBlock(), signal)
    const spans: TraceEvent[] = []
    // A memory that only this verifier has: what an earlier visit verified would be no computation.
    const making = createVerifier({
      ...{ network: 'holesky', cache: new MemoryCache() },
      onTrace: (span) => void spans.push(span),
    })
    try {
      const verifier = await orAborted(making, signal)
      await orAborted(verifier.warmup({ signal }), signal)
      const started = performance.now()
      let done = 0
      const deliveries = Array.from({ length: PEERS }, async (_, peer) => {
        const verdicts = await verifier.verifyBlobSidecars(
          sidecars.map((sidecar) => fromSource(sidecar, `peer ${peer}`)),
          { signal },
        )
        progress((done += verdicts.length), PEERS * sidecars.length)
        return verdicts
      })
      const verdicts = (await Promise.all(deliveries)).flat()
      return show(verdicts, computedIn(spans), performance.now() - started)
    } finally {
      making.then((verifier) => verifier.dispose()).catch(() => {}) // one that was not made was told of above
    }
  },
}

/** How many proofs were computed with: the blobs of each computation. Who delivered the same blob is named beside it, and counts once. */
function computedIn(spans: readonly TraceEvent[]): number {
  return spans
    .filter(({ stage }) => stage === 'kzg')
    .reduce((sum, { items }) => sum + new Set(items.map(({ item }) => item)).size, 0)
}

function show(verdicts: readonly Verdict[], computed: number, ms: number): string {
  const valid = verdicts.filter(({ status }) => status === 'valid').length
  const via = (way: string): string =>
    integer(verdicts.filter((verdict) => verdict.status === 'valid' && verdict.via === way).length)
  fillTable('#experiments-flood-table', [
    ['Blobs delivered', integer(verdicts.length)],
    ['Found valid', integer(valid)],
    ['Proofs computed with, by the trace', integer(computed)],
    ['Verdicts by a proof of their own', via('kzg')],
    ['Verdicts by the proof of another copy', via('duplicate')],
    ['Verdicts by what the verifier remembers', via('cache')],
    ['Time', milliseconds(ms)],
  ])
  return `${integer(verdicts.length)} blobs were delivered, and ${integer(computed)} proofs verified, in ${milliseconds(ms)}. ${integer(valid)} are valid.`
}
