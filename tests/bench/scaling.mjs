// What workers gain: blobs and cells through verifiers, and a blob through provers, with none, one and two workers; and beside
// them, on two workers, what rust-kzg does: a pairing for each. Each has a process of its own, on all cores, and they take turns.
import { start } from './processes.mjs'
import { median, quickestTenth } from './statistics.mjs'

const CONTENDERS = [
  ...['verifier', 'prover'].flatMap((kind) => [0, 1, 2].map((workers) => ({ kind, workers }))),
  { kind: 'a pairing per worker', workers: 2 },
]

/** Engines compile what is hot in each worker anew, for some hundred calls, on the cores that the workers need. */
const WARM_UP = { quick: { calls: 30, forMs: 1500 }, full: { calls: 300, forMs: 8000 } }

/**
 * Measures one kernel: rows of `{ way, workers, n, cpuMs, wallMs, quickMs, runs }`, medians of all calls; `quickMs`: wall time of
 * the quickest tenth.
 * `path`: the inputs; `node`: the binary; `turn`: `{ calls, forMs }` of a turn; `quick`: a short warm-up; `show`: told what is
 * going on.
 */
export async function measureScaling({ kernel, path, node, rounds, turn, quick, show }) {
  show('starting')
  const contenders = CONTENDERS.map(({ kind, workers }) => ({
    workers,
    process: start('worker-ways.mjs', [kind, kernel, workers, path], { node }),
  }))
  try {
    const ways = []
    for (const { process, workers } of contenders)
      for (const way of await process.ask('load')) ways.push({ ...way, workers, process, samples: [] })
    // One row's contenders follow each other, so that they meet the same weather.
    ways.sort((left, right) => left.n - right.n || left.way.localeCompare(right.way))

    for (const { process, way, n } of ways) {
      show('warming up')
      await process.ask('run', { way, n, ...WARM_UP[quick ? 'quick' : 'full'] })
    }
    for (let round = 1; round <= rounds; round++) {
      for (const { process, way, workers, n, samples } of ways) {
        show(`round ${round} of ${rounds}   ${way}/${n} with ${workers}`)
        samples.push(...(await process.ask('run', { way, n, ...turn })))
      }
    }
    return ways.map(({ way, workers, n, samples }) => ({
      way,
      workers,
      n,
      cpuMs: median(samples.map(({ cpuMs }) => cpuMs)),
      wallMs: median(samples.map(({ wallMs }) => wallMs)),
      quickMs: quickestTenth(samples.map(({ wallMs }) => wallMs)),
      runs: samples.length,
    }))
  } finally {
    await Promise.all(contenders.map(({ process }) => process.stop()))
  }
}
