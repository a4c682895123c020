// A process that measures what the pipeline's stages cost a worker: `node stages.mjs KERNEL INPUTS ROUNDS`. The tasks are those
// that run in workers, here in one thread. ts/src/verifier/batch/plan.ts has its figures from here.
import { readFile } from 'node:fs/promises'
import { createTasks } from '../../dist/verifier/worker/tasks.js'
import { readInputs } from './measuring.mjs'
import { median } from './statistics.mjs'

const [kernel, path, rounds] = process.argv.slice(2)
process.on('disconnect', () => process.exit())
const { blobs, commitments, proofs, cells, cellProofs } = readInputs(path)
const file = new URL(`../../wasm/verifier_${kernel.replace('-', '_')}.wasm`, import.meta.url)
const tasks = createTasks('die')
await tasks.setUp({ kernel, module: await WebAssembly.compile(await readFile(file)) })

const delivered = {
  blob: blobs.map((blob, at) => ({ blob, commitment: commitments[at], proof: proofs[at] })),
  cell: cells.flatMap((row, at) =>
    row.map((cell, cellIndex) => ({
      cell,
      cellIndex,
      commitment: commitments[at],
      proof: cellProofs[at][cellIndex],
    })),
  ),
}
/** More than any unit of a kind takes: the bytes of its item, a head and a hash. */
const UNIT_BYTES = { blob: 135_168, cell: 4_096 }
const unitMemory = (kind, n) => new ArrayBuffer(n * UNIT_BYTES[kind])
/** Where measured calls write their units, over those of the call before. */
const scratch = { blob: unitMemory('blob', 64), cell: unitMemory('cell', 64) }

/** The checks of the first `n` items of a kind: their units, as the tasks that follow take them. */
async function check(kind, n, unitBuffer = scratch[kind]) {
  const { checked } = await tasks.check({
    items: delivered[kind].slice(0, n).map((item) => ({ kind, item })),
    buffer: null,
    taken: [],
    unitBuffer,
    anchor: { kind: 'none' },
    network: new BigUint64Array(0),
    fork: 2,
    wantsHeaders: false,
  })
  return checked.map(({ unit, refusal }) => {
    if (unit === undefined) throw new Error(`the checks refused a true ${kind}: ${JSON.stringify(refusal)}`)
    return unit.bytes
  })
}

/** The sums of the first `n` units of a kind, as one group. */
function collect(kind, n) {
  const { refusals, sums } = tasks.collect(units[kind].slice(0, n), 1)
  if (refusals.some((refusal) => refusal !== null)) throw new Error(`a true ${kind} was refused`)
  return sums
}

function close(kind) {
  if (!tasks.close([sums[kind]], 0, 1)) throw new Error(`a batch of true ${kind}s was refused`)
}

const units = {}
const sums = {}
for (const kind of ['blob', 'cell']) {
  const n = delivered[kind].length
  units[kind] = await check(kind, n, unitMemory(kind, n))
  sums[kind] = collect(kind, 8)
}

/** Rows of stage, kind, number of units and what is called; those that the inputs do not suffice for are left out. */
const stages = [
  ...[6, 8, 64].map((n) => ['check', 'blob', n, () => check('blob', n)]),
  ['check', 'cell', 64, () => check('cell', 64)],
  ...[1, 2, 8, 32, 64].map((n) => ['collect', 'blob', n, () => collect('blob', n)]),
  ...[1, 8, 128].map((n) => ['collect', 'cell', n, () => collect('cell', n)]),
  ['close', 'blob', 1, () => close('blob')],
  ['close', 'cell', 1, () => close('cell')],
].filter(([, kind, n]) => n <= units[kind].length)

const samples = stages.map(() => [])
for (let round = 0; round <= Number(rounds); round++) {
  for (const [at, [, , , run]] of stages.entries()) {
    // Enough calls for a clock that counts microseconds, and for an engine to have compiled what is hot.
    for (let call = 0; call < 5; call++) {
      const { user, system } = process.cpuUsage()
      await run()
      const after = process.cpuUsage()
      if (round > 0) samples[at].push((after.user + after.system - user - system) / 1000)
    }
  }
}
process.send({
  answer: stages.map(([stage, kind, n], at) => ({
    stage,
    kind,
    n,
    cpuMs: median(samples[at]),
    runs: samples[at].length,
  })),
})
