// A process that uses one thing as one program would, asked by its parent over IPC: `node worker-ways.mjs KIND KERNEL WORKERS
// INPUTS`. KIND: a verifier, a prover, or what rust-kzg does, a pairing in each worker. No other pool is in the process: each
// would take its share of the memory and of the attention of the one thread that calls them.
import { Worker } from 'node:worker_threads'
import { createVerifier } from '../../dist/index.js'
import { createProver } from '../../dist/prover/index.js'
import { readInputs } from './measuring.mjs'
import { operations } from './operations.mjs'

const [kind, kernel, workersArgument, path] = process.argv.slice(2)
const workers = Number(workersArgument)
const inputs = readInputs(path)
// In memory of their own: what was read lies in one piece, all of which would travel with a view of it.
const [blobs, commitments, proofs] = [inputs.blobs, inputs.commitments, inputs.proofs].map((list) =>
  list.map((bytes) => new Uint8Array(bytes)),
)

/** What each kind has: `{ way, n, run }`, where `run` resolves with whether the answer was right. */
const kinds = {
  async verifier() {
    const verifier = await createVerifier({ kernel, workers, cache: false })
    await verifier.warmup()
    const blobItems = blobs.map((blob, at) => ({ blob, commitment: commitments[at], proof: proofs[at] }))
    const verify = (way, items) => ({
      way,
      n: items.length,
      run: async () => (await verifier[way](items)).every(({ status }) => status === 'valid'),
    })
    return [
      ...[2, 6, 64].map((n) => verify('verifyBlobs', blobItems.slice(0, n))),
      verify('verifyCells', cellItems()),
    ]
  },

  async prover() {
    const prover = await createProver({ kernel, workers })
    await prover.prepare()
    const run = async () => (await prover.computeCellsAndKzgProofs(blobs[0])).proofs.length === 128
    return [{ way: 'computeCellsAndKzgProofs', n: 1, run }]
  },

  /** The batch in equal parts, each verified to its end by a worker of its own. */
  async 'a pairing per worker'() {
    const threads = Array.from(
      { length: workers },
      () => new Worker(new URL('pairing-worker.mjs', import.meta.url), { workerData: kernel }),
    )
    const answer = (thread) => new Promise((resolve) => thread.once('message', resolve))
    await Promise.all(threads.map(answer))
    const part = Math.ceil(64 / workers)
    const run = async () => {
      const answers = threads.map((thread, at) => {
        const mine = [blobs, commitments, proofs].map((list) =>
          list.slice(at * part, Math.min((at + 1) * part, 64)),
        )
        const settled = answer(thread)
        thread.postMessage(mine)
        return settled
      })
      return (await Promise.all(answers)).every(Boolean)
    }
    return [{ way: 'a pairing per worker', n: 64, run }]
  },
}

/** 8 columns of 21 blobs. */
function cellItems() {
  const [cellCommitments, indices, cells, cellProofs] = operations.verifyCellKzgProofBatch.inputs(inputs, 168)
  return cells.map((cell, at) => ({
    cell,
    cellIndex: indices[at],
    commitment: cellCommitments[at],
    proof: cellProofs[at],
  }))
}

let ways
const tasks = {
  async load() {
    ways = await kinds[kind]()
    return ways.map(({ way, n }) => ({ way, n }))
  },
  /** Uses one way until `forMs` have passed, or `calls` times. The samples, in order. */
  async run({ way, n, forMs, calls }) {
    const { run } = ways.find((one) => one.way === way && one.n === n)
    const samples = []
    const began = performance.now()
    do samples.push(await measure(run, `${way}/${n}`))
    while (samples.length < calls && performance.now() - began < forMs)
    return samples
  },
}

async function measure(run, name) {
  const cpu = process.cpuUsage()
  const wall = performance.now()
  const isRight = await run()
  const wallMs = performance.now() - wall
  const { user, system } = process.cpuUsage(cpu)
  if (!isRight) throw new Error(`${kind} gave a wrong answer to ${name}`)
  return { cpuMs: (user + system) / 1000, wallMs }
}

process.on('message', async ({ task, ...request }) => {
  try {
    process.send({ answer: await tasks[task](request) })
  } catch (error) {
    process.send({ failure: error instanceof Error ? error.message : String(error) })
  }
})
process.on('disconnect', () => process.exit())
