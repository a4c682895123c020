/** How fast this browser verifies: kernel, workers, and medians of several runs in which nothing is remembered. */
import { createVerifier, type Verdict, type Verifier, type VerifyOptions } from 'blobcheck'
import { field } from '../../embedded/sidecar.ts'
import { orAborted } from '../../shared/watch.ts'
import { capital, milliseconds, numberWord } from '../../shared/words.ts'
import { loadBlock } from '../../embedded/block.ts'
import type { Experiment } from './frame.ts'
import { itemsOf } from '../../embedded/items.ts'
import { doTask } from './kzg-task.ts'
import { medianOf } from './median.ts'
import { fillTable } from './table.ts'

/** Odd, so that the median is one of the times. */
const RUNS = 11
/** Three that verify, and one that computes. */
const MEASURED = 4

const LINES = `import { createVerifier } from 'blobcheck'
import { loadKzg } from 'blobcheck/kzg'
import { createProver } from 'blobcheck/prover'
import { readEmbeddedSidecars } from 'blobcheck/serve/node'

const { data } = JSON.parse(await readEmbeddedSidecars())
const blobs = data.map(({ blob, kzg_commitment: commitment, kzg_proof: proof }) => ({ blob, commitment, proof }))
const prover = await createProver()
const { cells, proofs } = await prover.computeCellsAndKzgProofs(blobs[0].blob)
await prover.dispose()
const { commitment } = blobs[0]
const items = cells.map((cell, cellIndex) => ({ commitment, cellIndex, cell, proof: proofs[cellIndex] }))

const verifier = await createVerifier({ network: 'holesky', cache: false })
const kzg = await loadKzg()
await verifier.warmup()
console.log(verifier.kernel, verifier.kernelReason, verifier.workers)
await measure('one blob', () => verifier.verifyBlobs(blobs.slice(0, 1)))
await measure('six blobs', () => verifier.verifyBlobs(blobs))
await measure('128 cells', () => verifier.verifyCells(items))
await measure('computeCells', () => kzg.computeCells(blobs[0].blob))
await verifier.dispose()

async function measure(name, run) {
  await run()
  const times = []
  for (let at = 0; at < ${RUNS}; at++) {
    const start = performance.now()
    await run()
    times.push(performance.now() - start)
  }
  console.log(name, times.sort((one, other) => one - other)[${(RUNS - 1) / 2}].toFixed(2), 'ms')
}
`

export const bench: Experiment = {
  name: 'bench',
  lines: () => LINES,
  async run({ signal, progress }) {
    let steps = 0
    const sign = (): void => progress(steps, MEASURED * RUNS)
    const step = (): void => {
      steps++
      sign()
    }
    const rows: [string, string, string][] = []
    const show = (name: string, times: readonly number[]): void => {
      rows.push([name, milliseconds(medianOf(times)), milliseconds(Math.min(...times))])
      fillTable('#experiments-bench-table', rows)
    }
    fillTable('#experiments-bench-table', rows)
    const block = await orAborted(loadBlock(), signal)
    // Nothing is remembered: the same bytes are verified anew in each run.
    const making = createVerifier({ network: 'holesky', cache: false })
    let machine: string
    try {
      const verifier = await orAborted(making, signal)
      machine = wordsOf(verifier)
      sign()
      await orAborted(verifier.warmup({ signal }), signal)
      sign()
      const { blobs, cells } = await orAborted(itemsOf(block), signal)
      const verified: Readonly<Record<string, Verify>> = {
        'One blob': (options) => verifier.verifyBlobs(blobs.slice(0, 1), options),
        [`${capital(numberWord(blobs.length))} blobs`]: (options) => verifier.verifyBlobs(blobs, options),
        [`${cells.length} cells`]: (options) => verifier.verifyCells(cells, options),
      }
      for (const [name, verify] of Object.entries(verified))
        show(name, await timesOf(verify, { signal, sign, step }))
    } finally {
      making.then((verifier) => verifier.dispose()).catch(() => {}) // one that was not made was told of above
    }
    const computed: number[] = []
    const task = { kind: 'time' as const, runs: RUNS, blob: field(block.sidecars[0]!, 'blob') }
    await doTask(task, signal, (told) => {
      if (told.kind !== 'timed') return
      computed.push(told.ms)
      step()
    })
    show('The 128 cells of a blob, computed in one thread', computed)
    return machine
  },
}

type Verify = (options: VerifyOptions) => Promise<Verdict[]>

interface Timing {
  readonly signal: AbortSignal
  /** Called with each sign of life. */
  readonly sign: () => void
  /** Called after each run whose time counts. */
  readonly step: () => void
}

/** The times of several runs, in milliseconds, after one that is not counted. Rejects where a verdict is not `valid`. */
async function timesOf(verify: Verify, { signal, sign, step }: Timing): Promise<number[]> {
  // Each item that is false takes as long as dozens of true ones: a slow device is heard of meanwhile.
  refuseOthers(await verify({ signal, onProgress: sign }))
  const times: number[] = []
  while (times.length < RUNS) {
    const started = performance.now()
    const verdicts = await verify({ signal })
    times.push(performance.now() - started)
    refuseOthers(verdicts)
    step()
  }
  return times
}

function refuseOthers(verdicts: readonly Verdict[]): void {
  if (!verdicts.every(({ status }) => status === 'valid'))
    throw new Error('a verdict was not “valid”, so that its time says nothing')
}

function wordsOf({ kernel, kernelReason, workers }: Verifier): string {
  const threads =
    workers === 0
      ? 'The page’s own thread'
      : workers === 1
        ? 'One worker'
        : `${capital(numberWord(workers))} workers`
  return `${threads}, kernel ${kernel} (${kernelReason}). Each time is the median of ${RUNS} runs, beside it the best of them.`
}
