// A process that measures what workers gain: `node scaling.mjs KERNEL INPUTS ROUNDS`. 64 blobs through a verifier with
// none, one and two workers, in turns; and beside them, on two workers, what rust-kzg does: a pairing for each.
import { Worker } from 'node:worker_threads'
import { createVerifier } from '../../dist/index.js'
import { readInputs } from './measuring.mjs'
import { median } from './statistics.mjs'

const [kernel, path, rounds] = process.argv.slice(2)
process.on('disconnect', () => process.exit())
const { blobs, commitments, proofs } = readInputs(path)
const items = blobs.map((blob, at) => ({ blob, commitment: commitments[at], proof: proofs[at] }))

const ways = []
for (const workers of [0, 1, 2]) {
  const verifier = await createVerifier({ kernel, workers, cache: false })
  await verifier.warmup()
  ways.push({
    way: 'verifyBlobs',
    workers,
    samples: [],
    run: async () => (await verifier.verifyBlobs(items)).every(({ status }) => status === 'valid'),
  })
}
ways.push({ way: 'a pairing per worker', workers: 2, samples: [], run: await pairingPerWorker(2) })

for (let round = 0; round <= Number(rounds); round++) {
  for (const { way, samples, run } of ways) {
    const cpu = process.cpuUsage()
    const wall = performance.now()
    if (!(await run())) throw new Error(`${way} gave a wrong answer`)
    const wallMs = performance.now() - wall
    const { user, system } = process.cpuUsage(cpu)
    if (round > 0) samples.push({ cpuMs: (user + system) / 1000, wallMs })
  }
}
process.send({
  answer: ways.map(({ way, workers, samples }) => ({
    way,
    workers,
    n: items.length,
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
  const part = Math.ceil(items.length / count)
  return async () => {
    const answers = workers.map((worker, at) => {
      const mine = [blobs, commitments, proofs].map((list) => list.slice(at * part, (at + 1) * part))
      const settled = answer(worker)
      worker.postMessage(mine)
      return settled
    })
    return (await Promise.all(answers)).every(Boolean)
  }
}
