// A process that measures what workers gain: `node scaling.mjs KERNEL INPUTS ROUNDS`. Blobs and cells through verifiers, and
// a blob through provers, with none, one and two workers, in turns; and beside them, on two workers, what rust-kzg does: a pairing for each.
import { Worker } from 'node:worker_threads'
import { createVerifier } from '../../dist/index.js'
import { createProver } from '../../dist/prover/index.js'
import { readInputs } from './measuring.mjs'
import { operations } from './operations.mjs'
import { median } from './statistics.mjs'

const [kernel, path, rounds] = process.argv.slice(2)
process.on('disconnect', () => process.exit())
const inputs = readInputs(path)
const { blobs, commitments, proofs } = inputs
const blobItems = blobs.map((blob, at) => ({ blob, commitment: commitments[at], proof: proofs[at] }))

/** 8 columns of 21 blobs. */
const [cellCommitments, indices, cells, cellProofs] = operations.verifyCellKzgProofBatch.inputs(inputs, 168)
const cellItems = cells.map((cell, at) => ({
  cell,
  cellIndex: indices[at],
  commitment: cellCommitments[at],
  proof: cellProofs[at],
}))

const ways = []
for (const workers of [0, 1, 2]) {
  const verifier = await createVerifier({ kernel, workers, cache: false })
  await verifier.warmup()
  const add = (way, items) =>
    ways.push({
      way,
      n: items.length,
      workers,
      samples: [],
      run: async () => (await verifier[way](items)).every(({ status }) => status === 'valid'),
    })
  for (const n of [2, 6, 64]) add('verifyBlobs', blobItems.slice(0, n))
  add('verifyCells', cellItems)
  const prover = await createProver({ kernel, workers })
  await prover.prepare()
  ways.push({
    way: 'computeCellsAndKzgProofs',
    n: 1,
    workers,
    samples: [],
    run: async () => (await prover.computeCellsAndKzgProofs(blobs[0])).proofs.length === 128,
  })
}
ways.push({ way: 'a pairing per worker', n: 64, workers: 2, samples: [], run: await pairingPerWorker(2) })
ways.sort((left, right) => left.n - right.n)

// Engines compile what is hot in each worker anew, and a worker has half of the calls.
for (const { run } of ways) {
  const began = performance.now()
  for (let call = 0; call < 10 && performance.now() - began < 1000; call++) await run()
}
for (let round = 0; round <= Number(rounds); round++) {
  for (const { way, n, samples, run } of ways) {
    const cpu = process.cpuUsage()
    const wall = performance.now()
    if (!(await run())) throw new Error(`${way} gave a wrong answer to ${n}`)
    const wallMs = performance.now() - wall
    const { user, system } = process.cpuUsage(cpu)
    if (round > 0) samples.push({ cpuMs: (user + system) / 1000, wallMs })
  }
}
process.send({
  answer: ways.map(({ way, n, workers, samples }) => ({
    way,
    workers,
    n,
    cpuMs: median(samples.map(({ cpuMs }) => cpuMs)),
    wallMs: median(samples.map(({ wallMs }) => wallMs)),
    runs: samples.length,
  })),
})

/** The batch in equal parts, each verified to its end by a worker of its own. */
async function pairingPerWorker(count) {
  const workers = Array.from(
    { length: count },
    () => new Worker(new URL('pairing-worker.mjs', import.meta.url), { workerData: kernel }),
  )
  const answer = (worker) => new Promise((resolve) => worker.once('message', resolve))
  await Promise.all(workers.map(answer))
  const part = Math.ceil(64 / count)
  return async () => {
    const answers = workers.map((worker, at) => {
      const mine = [blobs, commitments, proofs].map((list) =>
        list.slice(at * part, Math.min((at + 1) * part, 64)),
      )
      const settled = answer(worker)
      worker.postMessage(mine)
      return settled
    })
    return (await Promise.all(answers)).every(Boolean)
  }
}
