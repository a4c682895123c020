// A process that measures what the pipeline's stages cost a worker: `node stages.mjs KERNEL INPUTS ROUNDS`. The tasks are those
// that run in workers, here in one thread. ts/src/verifier/batch/costs.ts has its figures from here.
import { readFile } from 'node:fs/promises'
import { createTasks } from '../../dist/verifier/worker/tasks.js'
import { readInputs } from './measuring.mjs'
import { median } from './statistics.mjs'

const [kernel, path, rounds] = process.argv.slice(2)
process.on('disconnect', () => process.exit())
const { blobs, commitments, proofs, cells, cellProofs } = readInputs(path)
const file = new URL(`../../wasm/blobcheck_${kernel.replace('-', '_')}.wasm`, import.meta.url)
const tasks = createTasks('die')
await tasks.setUp({ kernel, module: await WebAssembly.compile(await readFile(file)), lifeline: null })

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
const check = async (kind, n) => {
  const deliveries = delivered[kind].slice(0, n).map((item) => ({ kind, item }))
  const terms = { slab: null, anchor: { kind: 'none' }, network: new BigUint64Array(0), fork: 2 }
  return (await tasks.check({ deliveries, ...terms })).checked.map(({ unit }) => unit)
}
const seed = new Uint8Array(32).fill(1)
const units = {}
for (const kind of ['blob', 'cell']) units[kind] = await check(kind, delivered[kind].length)
const sums = Object.fromEntries(
  ['blob', 'cell'].map((kind) => [kind, tasks.collect(units[kind].slice(0, 8), seed, 1).sums]),
)

const stages = [
  ...[8, 64].map((n) => ['check', 'blob', n, () => check('blob', n)]),
  ['check', 'cell', 64, () => check('cell', 64)],
  ...[1, 2, 8, 32, 64].map((n) => [
    'collect',
    'blob',
    n,
    () => tasks.collect(units.blob.slice(0, n), seed, 1),
  ]),
  ...[1, 8, 128].map((n) => ['collect', 'cell', n, () => tasks.collect(units.cell.slice(0, n), seed, 1)]),
  ['close', 'blob', 1, () => tasks.close([sums.blob], 0, 1)],
  ['close', 'cell', 1, () => tasks.close([sums.cell], 0, 1)],
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
