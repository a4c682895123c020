// The names that the documentation's examples take for granted (names.d.ts), as real values: of the newest finalized block of a made chain.
import { createVerifier } from 'blobcheck'
import { createBlobSource } from 'blobcheck/blobs'
import { loadKzg } from 'blobcheck/kzg'
import { LightClient } from 'blobcheck/light-client'
import { loadProver } from 'blobcheck/prover'
import { createSampler } from 'blobcheck/sampler'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

/** When the signal of an example says that it is over: soon, where an example goes on until then. */
const patienceMs = (code) => (code.includes('for await') ? 2_500 : 120_000)

/** The endpoints of the examples, all of which answer as the server of the made chain does. */
const ENDPOINTS = /^https:\/\/(?:beacon|a|b)\.example(?=\/)/

const adapters = createRequire(new URL('../adapters/package.json', import.meta.url))
const viem = async () => await import(pathToFileURL(adapters.resolve('viem')).href)

/** The endpoints of the execution layer in the examples, which are one server, too. */
const EXECUTION = /^https:\/\/(?:execution|c|d)\.example(?=\/)/

/** A blob transaction as viem signs it: in the wrapper of EIP-4844. */
async function signedTransaction(blob, prover) {
  const { privateKeyToAccount } = await import(pathToFileURL(adapters.resolve('viem/accounts')).href)
  const { toViemKzg } = await import('blobcheck/adapters/viem')
  const fees = { gas: 21_000n, maxFeePerGas: 3n, maxPriorityFeePerGas: 1n, maxFeePerBlobGas: 1n }
  const to = `0x${'00'.repeat(19)}01`
  return await privateKeyToAccount(`0x${'01'.repeat(32)}`).signTransaction({
    ...{ type: 'eip4844', chainId: 1, nonce: 0, to, ...fees },
    ...{ blobs: [blob], kzg: toViemKzg(prover) },
  })
}

/** Provides the names, and returns what runs an example with what is different for it. */
export async function provide({ server, execution, transaction, network, checkpoint }) {
  const chainNetwork = JSON.parse(network, (_, value) => value ?? Infinity)
  const platformFetch = globalThis.fetch
  globalThis.fetch = (input, init) => {
    const url = input instanceof Request ? input.url : String(input)
    const there = url.replace(ENDPOINTS, server).replace(EXECUTION, execution).replace('/12345678', '/head')
    return platformFetch(there === url ? input : there, init)
  }
  const text = async (path) => {
    const response = await platformFetch(server + path)
    if (!response.ok) throw new Error(`${path}: ${response.status}`)
    return await response.text()
  }

  const { root: header } = JSON.parse(await text('/eth/v1/beacon/headers/finalized')).data
  const sidecars = await text(`/eth/v1/beacon/blob_sidecars/${header}`)
  const columns = await text(`/eth/v1/debug/beacon/data_column_sidecars/${header}`)
  const block = await text(`/eth/v2/beacon/blocks/${header}`)
  const parts = JSON.parse(sidecars).data
  const bytes = (hex) => new Uint8Array(Buffer.from(hex.slice(2), 'hex'))
  const [blobs, commitments, proofs] = ['blob', 'kzg_commitment', 'kzg_proof'].map((name) =>
    parts.map((part) => bytes(part[name])),
  )
  const versionedHashes = await Promise.all(
    commitments.map(async (commitment) => {
      const hash = Buffer.from(await crypto.subtle.digest('SHA-256', commitment)).toString('hex')
      return `0x01${hash.slice(2)}`
    }),
  )
  // One of its cells for each blob, at different places.
  const cellIndices = blobs.map((_, row) => row * 7)
  const column = (index) => JSON.parse(columns).data.find((sidecar) => Number(sidecar.index) === index)
  const cells = cellIndices.map((index, row) => bytes(column(index).column[row]))

  Object.assign(globalThis, {
    ...{ blobs, blob: blobs[0], commitments, commitment: commitments[0], proofs, proof: proofs[0] },
    ...{ cells, cell: cells[0], cellIndices, versionedHashes, header, sidecars, transaction },
    sidecar: column(0),
    beacon: 'https://beacon.example',
    onProgress: () => {},
    exampleNetwork: chainNetwork,
    exampleCheckpoint: checkpoint,
  })

  /** Names that cost something are made for the first example that has them. */
  const made = {
    // viem's, and what it signs: the tests of the adapters install it.
    serializeTransaction: async () => (await viem()).serializeTransaction,
    exampleTransaction: async () => await signedTransaction(blobs[0], await make('prover')),
    verifier: () => createVerifier({ network: chainNetwork }),
    client: async () => {
      const client = await LightClient.fromCheckpoint({ network: chainNetwork, checkpoint, beacon: [server] })
      await client.sync()
      return client
    },
    prover: () => loadProver({ proofs: 'blobs' }),
    sampler: async () =>
      createSampler({
        verifier: await make('verifier'),
        headers: await make('client'),
        beacon: ['https://a.example', 'https://b.example'],
      }),
    source: async () =>
      createBlobSource({
        verifier: await make('verifier'),
        headers: await make('client'),
        beacon: ['https://a.example', 'https://b.example'],
      }),
  }
  const ready = new Map()
  const make = async (name) => {
    if (!ready.has(name)) ready.set(name, made[name]())
    return await ready.get(name)
  }

  /** What an example of recovery takes for granted: half of the cells of a blob. */
  async function half() {
    const kzg = await loadKzg()
    const indices = Array.from({ length: 64 }, (_, index) => 2 * index)
    const all = kzg.computeCells(blobs[0])
    return { cellIndices: indices, cells: indices.map((index) => all[index]) }
  }

  /** Runs an example; resolves with the error that it ended with, or null. */
  async function during(code, run) {
    for (const name of Object.keys(made))
      if (new RegExp(`\\b${name}\\b`).test(code)) globalThis[name] = await make(name)
    const controller = new AbortController()
    const over = new Error('the example has gone on for long enough')
    const timer = setTimeout(() => controller.abort(over), patienceMs(code))
    const answerText = code.includes('readBlock') ? block : code.includes('DataColumn') ? columns : sidecars
    Object.assign(globalThis, { signal: controller.signal, answerText }, { cells, cellIndices })
    if (/recoverCells(AndKzgProofs)?\(cellIndices/.test(code)) Object.assign(globalThis, await half())
    try {
      await run()
      return null
    } catch (error) {
      return error === over ? null : error
    } finally {
      clearTimeout(timer)
    }
  }

  return { during }
}
