/**
 * Anything at all to every public function: it answers, or throws what its documentation says, and it always comes to an end. A new public
 * function without a place here fails the last test.
 */
import { createVerifier, fromSource, IndexedDbCache, MemoryCache } from 'blobcheck'
import { loadBeacon } from 'blobcheck/beacon'
import { createBlobSource } from 'blobcheck/blobs'
import { loadKzg } from 'blobcheck/kzg'
import {
  FileStorage,
  IndexedDbStorage,
  LightClient,
  loadLightClientSpec,
  MemoryStorage,
} from 'blobcheck/light-client'
import { createProver, loadProver, tableBytes } from 'blobcheck/prover'
import { createSampler } from 'blobcheck/sampler'
import {
  createBeaconApp,
  createExecutionApp,
  fetchEmbeddedSidecars,
  makeChain,
  realChain,
  withheldColumns,
} from 'blobcheck/serve'
import { readEmbeddedSidecars, serveBeacon, serveExecution } from 'blobcheck/serve/node'
import { toEthereumjsBlobFields, toEthereumjsKzg } from 'blobcheck/adapters/ethereumjs'
import { toEthersBlobs, toEthersKzg } from 'blobcheck/adapters/ethers'
import { toOsakaTransaction } from 'blobcheck/adapters/osaka'
import { toOxKzg, toOxSidecars } from 'blobcheck/adapters/ox'
import { toViemKzg, toViemOsakaSerializer, toViemSidecars } from 'blobcheck/adapters/viem'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Hostile } from '../support/hostile.ts'
import { junk, spoiled } from '../support/junk.ts'
import { infinity, makeBlob, makeCell, range } from '../support/make.ts'
import { ROUNDS, SEED, timesRounds } from '../support/rounds.ts'
import { handChain } from '../support/served.ts'

/** What may be thrown or rejected with: the documented errors, and what the caller's own code threw. */
const DOCUMENTED = new Set([
  'BeaconUnavailableError',
  'BlockMismatchError',
  'DisposedError',
  'KzgInputError',
  'LightClientError',
  'SetupUnavailableError',
  'SszError',
  'StaleCheckpointError',
  'TransactionError',
  'TypeError',
  'UnsupportedForkError',
  'WasmUnavailableError',
])

/** How long a call may take before it counts as one that never ends. */
const PATIENCE_MS = 60_000

type Call = (...args: never[]) => unknown
interface Surface {
  readonly call: Call
  /** Arguments that it takes, of which the test then spoils a part. */
  readonly args: readonly unknown[]
  /** What an answer must be, whatever the arguments. */
  readonly check?: (answer: never, args: readonly unknown[]) => unknown
  /** Whether it rejects with Node's errors of files, ports and hosts, too. */
  readonly mayFail?: boolean
  /** Gives back what an answer holds. */
  readonly end?: (answer: never) => unknown
  readonly runs?: number
}

const verifier = await createVerifier({ network: 'holesky', workers: 0, cache: false })
const kzg = await loadKzg()
const beacon = await loadBeacon()
const prover = await loadProver()
const asyncProver = await createProver({ workers: 0 })
const spec = await loadLightClientSpec({ network: 'mainnet' })
const sidecars = await readEmbeddedSidecars()
const chain = realChain({ sidecars })
afterAll(async () => {
  await verifier.dispose()
  await asyncProver.dispose()
})

const blob = makeBlob(1)
const cell = makeCell(1, 3)
const zero = new Uint8Array(32)
const { signal } = new AbortController()
const nothing = async (): Promise<Response> => Promise.resolve(new Response('{}', { status: 404 }))
const root = `0x${'11'.repeat(32)}`
const headers = { resolve: async () => Promise.resolve({ status: 'no-block' as const }) }
const urls = ['http://one.invalid']
const asking = { verifier, headers, beacon: urls, timeoutMs: 200, deadlineMs: 400, fetch: nothing }
const sampler = createSampler(asking as never)
const blobSource = createBlobSource(asking as never)
const update = { version: 'electra', ssz: new Uint8Array(100) }

const made = await handChain({
  slots: 40,
  blobsPerBlock: 0,
  slotsPerEpoch: 8,
  epochsPerSyncCommitteePeriod: 8,
  syncCommitteeSize: 32,
})
const server = await serveBeacon({ chain: made })
const client = await LightClient.fromCheckpoint({
  network: made.network,
  checkpoint: made.checkpoint,
  beacon: server.url,
  now: () => made.now(),
  store: false,
  worker: false,
})
afterAll(async () => {
  await client.dispose()
  await server.close()
})

/** Begins what goes on for ever, and waits for what comes first, if anything comes soon. */
async function begin(answer: object): Promise<void> {
  if (!(Symbol.asyncIterator in answer)) return
  const following = answer as unknown as AsyncIterator<unknown>
  await Promise.race([following.next(), new Promise((resolve) => setTimeout(resolve, 50))])
}

/** Junk is never valid: only an item whose parts the test left as they were, `own`, if there is one, can be that. */
const verdicts =
  (own: object | null) =>
  (answer: readonly { readonly status: string }[], [items]: readonly unknown[]): void => {
    const known = ['valid', 'invalid', 'malformed', 'unchecked', 'error']
    for (const [at, { status }] of (Array.isArray(answer) ? answer : [answer as never]).entries()) {
      expect(known).toContain(status)
      if (status !== 'valid') continue
      const item = (items as readonly object[])[at]!
      const isLeft = ([name, part]: readonly [string, unknown]): boolean =>
        Object.getOwnPropertyDescriptor(item, name)?.value === part
      expect(own !== null && Object.entries(own).every(isLeft)).toBe(true)
    }
  }

const dispose = async (made: { dispose: () => Promise<void> }): Promise<void> => await made.dispose()
const close = async (made: { close: () => Promise<void> }): Promise<void> => await made.close()

/** Methods of an object, as functions. */
function methods<T extends object>(
  name: string,
  object: T,
  args: { readonly [method in keyof T]?: readonly unknown[] },
  more: Partial<Surface> = {},
): [string, Surface][] {
  return Object.entries(args).map(([method, args]) => {
    const call: Call = (...given) => (object[method as keyof T] as Call).apply(object, given)
    return [`${name}.${method}`, { call, args: args as unknown[], ...more }]
  })
}

/** Where files are kept, and nothing else is written. */
const storage = await mkdtemp(join(tmpdir(), 'blobcheck-junk-'))
afterAll(async () => {
  expect((await readdir(storage)).filter((name) => !/^[0-9a-z-]+\.bin$/.test(name))).toEqual([])
  await rm(storage, { recursive: true, force: true })
})

const surfaces = new Map<string, Surface>([
  [
    'blobcheck createVerifier',
    {
      call: createVerifier,
      args: [{ network: 'holesky', workers: 0, cache: false, kernel: 'simd128' }],
      end: dispose,
      runs: 60,
    },
  ],
  ['blobcheck fromSource', { call: fromSource, args: [blob, 'peer'] }],
  ['blobcheck MemoryCache', { call: (...args: unknown[]) => new MemoryCache(...(args as [])), args: [] }],
  [
    'blobcheck IndexedDbCache',
    { call: (...args: unknown[]) => new IndexedDbCache(...(args as [])), args: [] },
  ],
  ...methods(
    'Verifier',
    verifier,
    {
      verifyBlobs: [[blob, blob], { signal, onProgress: () => undefined }],
    },
    { check: verdicts(blob) },
  ),
  ...methods('Verifier', verifier, { verifyCells: [[cell], { signal }] }, { check: verdicts(cell) }),
  ...methods(
    'Verifier',
    verifier,
    {
      verifyBlobSidecars: [[{ index: '0', blob: '0x' }], { signal, anchor: root }],
      verifyDataColumnSidecars: [[{ index: '0' }], { signal }],
      verifyBlobTransaction: ['0x03', { fork: 'osaka' }],
    },
    { check: verdicts(null) },
  ),
  ...methods('Verifier', verifier, { warmup: [{ signal }], stats: [] }),
  ['blobcheck/kzg loadKzg', { call: loadKzg, args: [{ kernel: 'simd128' }], runs: 60 }],
  ...methods('Kzg', kzg, {
    verifyKzgProof: [infinity, zero, zero, infinity],
    verifyBlobKzgProof: [blob.blob, blob.commitment, blob.proof],
    verifyBlobKzgProofBatch: [[blob.blob], [blob.commitment], [blob.proof]],
    verifyCellKzgProofBatch: [[cell.commitment], [3], [cell.cell], [cell.proof]],
    verifyBlobCommitments: [[blob.blob], [blob.commitment]],
    computeChallenge: [blob.blob, blob.commitment],
    computeVerifyCellKzgProofBatchChallenge: [[cell.commitment], [0], [3], [cell.cell], [cell.proof]],
    computeCells: [blob.blob],
    recoverCells: [range(64), range(64).map(() => cell.cell)],
  }),
  ['blobcheck/beacon loadBeacon', { call: loadBeacon, args: [{}], runs: 60 }],
  ...methods('Beacon', beacon, { readBlock: [new Uint8Array(400), { network: 'mainnet', fork: 'electra' }] }),
  ['blobcheck/prover loadProver', { call: loadProver, args: [{ kernel: 'simd128' }], runs: 20 }],
  [
    'blobcheck/prover createProver',
    { call: createProver, args: [{ kernel: 'simd128', workers: 0 }], end: dispose, runs: 20 },
  ],
  ['blobcheck/prover tableBytes', { call: tableBytes, args: [{ rows: 1, width: 4 }] }],
  ...methods('Prover', prover, {
    blobToKzgCommitment: ['0x'],
    computeKzgProof: ['0x', zero],
    computeBlobKzgProof: ['0x', infinity],
    computeCells: [blob.blob],
    recoverCells: [range(64), range(64).map(() => cell.cell)],
    computeCellsAndKzgProofs: ['0x'],
    recoverCellsAndKzgProofs: [range(3), range(3).map(() => cell.cell)],
  }),
  ...methods(
    'AsyncProver',
    asyncProver,
    {
      blobToKzgCommitment: ['0x', { signal }],
      computeKzgProof: ['0x', zero, { signal }],
      computeBlobKzgProof: ['0x', infinity, { signal }],
      computeCells: [blob.blob, { signal, onProgress: () => undefined }],
      recoverCells: [range(3), range(3).map(() => cell.cell), { signal }],
      computeCellsAndKzgProofs: ['0x', { signal }],
      recoverCellsAndKzgProofs: [range(3), range(3).map(() => cell.cell), { signal }],
      prepare: [{ signal }],
    },
    { runs: 60 },
  ),
  [
    'blobcheck/light-client LightClient.fromCheckpoint',
    {
      call: LightClient.fromCheckpoint.bind(LightClient) as Call,
      args: [
        {
          network: 'mainnet',
          checkpoint: root,
          beacon: urls,
          worker: false,
          store: false,
          timeoutMs: 200,
          fetch: nothing,
          signal,
        },
      ],
      end: dispose,
      runs: 60,
    },
  ],
  [
    'blobcheck/light-client loadLightClientSpec',
    { call: loadLightClientSpec, args: [{ network: 'mainnet' }], runs: 40 },
  ],
  [
    'blobcheck/light-client MemoryStorage',
    { call: (...args: unknown[]) => new MemoryStorage(...(args as [])), args: [] },
  ],
  [
    'blobcheck/light-client FileStorage',
    {
      call: (...args: unknown[]) => new FileStorage(...(args as [string])),
      args: [storage],
    },
  ],
  [
    'blobcheck/light-client IndexedDbStorage',
    { call: (...args: unknown[]) => new IndexedDbStorage(...(args as [])), args: [] },
  ],
  ...methods(
    'LightClient',
    client,
    {
      sync: [{ signal, onProgress: () => undefined }],
      headers: [{ signal: AbortSignal.abort(new Hostile('called off')), finality: 'finalized' }],
      headerAt: [5, { signal }],
      trustAncestors: [[{ slot: '1' }], undefined],
      report: [],
    },
    { runs: 60, check: begin },
  ),
  ...methods('MemoryStorage', new MemoryStorage(), { get: ['key'], set: ['key', 'value'], delete: ['key'] }),
  ...methods(
    'FileStorage',
    new FileStorage(storage),
    { get: ['key'], set: ['key', 'value'], delete: ['key'] },
    { mayFail: true, runs: 60 },
  ),
  ...methods('LightClientSpec', spec, {
    initializeLightClientStore: [root, update],
    validateLightClientUpdate: [new Uint8Array(100), update, 5],
    processLightClientUpdate: [new Uint8Array(100), update, 5],
    processLightClientFinalityUpdate: [new Uint8Array(100), update, 5n],
    processLightClientOptimisticUpdate: [new Uint8Array(100), update, 5],
    processLightClientStoreForceUpdate: [new Uint8Array(100), 5],
    isBetterUpdate: [update, update],
    view: [new Uint8Array(100)],
  }),
  ['blobcheck/sampler createSampler', { call: createSampler, args: [{ ...asking, target: { columns: 8 } }] }],
  ...methods(
    'Sampler',
    sampler,
    {
      sampleBlock: [5, { signal, target: { columns: 8 }, deadlineMs: 300 }],
      follow: [{ signal: AbortSignal.abort(new Hostile('called off')), deadlineMs: 300 }],
    },
    { runs: 60, check: begin },
  ),
  ['blobcheck/blobs createBlobSource', { call: createBlobSource, args: [asking] }],
  ...methods('BlobSource', blobSource, { get: [{ slot: 5, signal, deadlineMs: 300 }] }, { runs: 60 }),
  ['blobcheck/serve createBeaconApp', { call: createBeaconApp, args: [{ chain, faults: { rules: [] } }] }],
  [
    'blobcheck/serve createExecutionApp',
    { call: createExecutionApp, args: [{ chain, faults: { rules: [] } }] },
  ],
  [
    'blobcheck/serve fetchEmbeddedSidecars',
    { call: fetchEmbeddedSidecars, args: [{ signal: AbortSignal.abort(new Hostile('called off')) }] },
  ],
  [
    'blobcheck/serve makeChain',
    {
      call: makeChain,
      args: [
        {
          slots: 2,
          blobsPerBlock: 0,
          syncCommitteeSize: 32,
          signal: AbortSignal.abort(new Hostile('called off')),
        },
      ],
      runs: 30,
    },
  ],
  ['blobcheck/serve realChain', { call: realChain, args: [{ sidecars: '{"data":[]}' }] }],
  [
    'blobcheck/serve withheldColumns',
    { call: withheldColumns, args: [[{ kind: 'withhold', columns: 5 }], root] },
  ],
  ['blobcheck/serve/node readEmbeddedSidecars', { call: readEmbeddedSidecars, args: [], runs: 5 }],
  [
    'blobcheck/serve/node serveBeacon',
    { call: serveBeacon, mayFail: true, args: [{ chain, port: 0, host: '127.0.0.1' }], end: close, runs: 40 },
  ],
  [
    'blobcheck/serve/node serveExecution',
    {
      call: serveExecution,
      mayFail: true,
      args: [{ chain, port: 0, host: '127.0.0.1' }],
      end: close,
      runs: 40,
    },
  ],
  ['blobcheck/adapters/viem toViemKzg', { call: toViemKzg, args: [prover] }],
  [
    'blobcheck/adapters/viem toViemSidecars',
    { call: toViemSidecars, args: [asyncProver, ['0x'], { signal }] },
  ],
  [
    'blobcheck/adapters/viem toViemOsakaSerializer',
    { call: toViemOsakaSerializer, args: [asyncProver, () => '0x', { signal }] },
  ],
  ['blobcheck/adapters/ox toOxKzg', { call: toOxKzg, args: [prover, kzg] }],
  ['blobcheck/adapters/ox toOxSidecars', { call: toOxSidecars, args: [asyncProver, ['0x'], { signal }] }],
  ['blobcheck/adapters/ethers toEthersKzg', { call: toEthersKzg, args: [prover, 1] }],
  [
    'blobcheck/adapters/ethers toEthersBlobs',
    { call: toEthersBlobs, args: [asyncProver, ['0x'], 1, { signal }] },
  ],
  ['blobcheck/adapters/ethereumjs toEthereumjsKzg', { call: toEthereumjsKzg, args: [prover, kzg] }],
  [
    'blobcheck/adapters/ethereumjs toEthereumjsBlobFields',
    { call: toEthereumjsBlobFields, args: [asyncProver, ['0x'], 1, { signal }] },
  ],
  [
    'blobcheck/adapters/osaka toOsakaTransaction',
    { call: toOsakaTransaction, args: ['0x03', asyncProver, { signal }] },
  ],
] as unknown as [string, Surface][])

/** Whether it is one of the errors that are documented, or the caller's own. */
function isDocumented(error: unknown): boolean {
  if (error instanceof Hostile) return true
  return error instanceof Error && DOCUMENTED.has(error.name)
}

/** What a call comes to; fails where it is nothing that is documented, or where nothing comes of it. */
async function outcomeOf(
  { call, check, end, mayFail = false }: Surface,
  args: readonly unknown[],
): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const never = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the call never ends')), PATIENCE_MS)
  })
  try {
    const answer: unknown = await Promise.race([
      (async () => await (call as (...args: unknown[]) => unknown)(...args))(),
      never,
    ])
    await check?.(answer as never, args)
    await end?.(answer as never)
  } catch (error) {
    const isOfNode = mayFail && typeof (error as NodeJS.ErrnoException).errno === 'number'
    if (!isDocumented(error) && !isOfNode)
      throw new Error(`not documented: ${String(error)}`, { cause: error })
  } finally {
    clearTimeout(timer)
  }
}

describe('junk', () => {
  it.each([...surfaces])('%s', async (_, surface) => {
    const path = fc.array(fc.nat(999), { maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(path, junk, async (path, { make }) => {
        const args = spoiled(surface.args, path, make)
        await outcomeOf(surface, args)
      }),
      // A call that never ends takes its time again for each smaller case that is tried.
      {
        ...{ numRuns: timesRounds(surface.runs ?? 150), seed: SEED },
        ...{ interruptAfterTimeLimit: 3 * PATIENCE_MS * Math.max(1, ROUNDS), markInterruptAsFailure: true },
      },
    )
  })
})

describe('the list', () => {
  it('has every public function', async () => {
    const manifest = await readFile(fileURLToPath(new URL('../../package.json', import.meta.url)), 'utf8')
    const { exports } = JSON.parse(manifest) as {
      readonly exports: Record<string, string | { readonly default: string }>
    }
    const missing: string[] = []
    for (const [path, target] of Object.entries(exports)) {
      // Workers have nothing to call; custom elements want a document, and tests of their own; the entry in one file is the main one.
      if (typeof target === 'string' || /worker$|^.\/elements|^.\/inline/.test(path)) continue
      const module = (await import(new URL(`../../${target.default}`, import.meta.url).href)) as Record<
        string,
        unknown
      >
      for (const [name, value] of Object.entries(module)) {
        const isError = typeof value === 'function' && value.prototype instanceof Error
        if (typeof value !== 'function' || isError || name === 'LightClient') continue
        const key = `blobcheck${path.slice(1)} ${name}`
        if (!surfaces.has(key)) missing.push(key)
      }
    }
    expect(missing).toEqual([])
  })

  it.each([
    ['Verifier', verifier],
    ['Kzg', kzg],
    ['Beacon', beacon],
    ['Prover', prover],
    ['AsyncProver', asyncProver],
    ['LightClient', client],
    ['LightClientSpec', spec],
    ['Sampler', sampler],
    ['BlobSource', blobSource],
  ])('has every method of %s', (name, object) => {
    const found = new Set<string>()
    for (
      let at: object | null = object;
      at !== null && at !== Object.prototype;
      at = Object.getPrototypeOf(at) as object | null
    )
      for (const [key, { value }] of Object.entries(Object.getOwnPropertyDescriptors(at)))
        if (typeof value === 'function' && !['constructor', 'dispose'].includes(key))
          found.add(`${name}.${key}`)
    expect([...found].filter((method) => !surfaces.has(method))).toEqual([])
    expect(found.size).toBeGreaterThan(0)
  })
})
