/** Modules that get no more memory: what can be verified with what there is, is, and of the rest nothing is said. */
import { createVerifier, type Verdict, type Warning, WasmUnavailableError } from 'blobcheck'
import { loadBeacon, SszError } from 'blobcheck/beacon'
import { type Kzg, loadKzg } from 'blobcheck/kzg'
import { LightClient, loadLightClientSpec } from 'blobcheck/light-client'
import { type CellsAndKzgProofs, createProver, loadProver } from 'blobcheck/prover'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { makeBadBlob, makeBlob, type MadeBlob, range } from '../support/make.ts'
import { concat } from '../support/bytes.ts'
import { readAssetBytes, readKzgModule, readVerifierModule, withPages } from '../support/modules.ts'
import { blobs } from '../support/prover-blobs.ts'
import { handChain } from '../support/served.ts'
import { watchThreads } from '../support/threads.ts'

afterEach(() => void vi.restoreAllMocks())

/** A blob at a time fits, and a batch of eight does not. */
const SMALL = 30
/** Not even a blob does. */
const TOO_SMALL = 20
/** The prover can be tried out, and has no room for its setup. */
const PROVER = 24
/** The prover can prove, and has no room for a part of its tables, or for some of them. */
const [NO_PART, SOME_PARTS] = [128, 230]
/** The module cannot even be tried out. */
const NONE = 17

const items = [makeBlob(1), makeBadBlob(2), ...range(14).map((at) => makeBlob(3 + at))]
const small = async (
  pages: number,
  read = readVerifierModule,
): Promise<{ wasm: { simd128: Uint8Array<ArrayBuffer> } }> => ({
  wasm: { simd128: withPages(await read('simd128'), pages) },
})

/** What an engine throws that cannot reserve the address space: V8 an error, and Firefox text. */
const refusals: [string, unknown][] = [
  ['V8', new RangeError('Out of memory: Cannot allocate Wasm memory for new instance')],
  ['Firefox', 'out of memory'],
]

/** From here on no instance is made. The module of the probe has no memory. */
const refuseWith = (refusal: unknown): void => {
  const { Instance } = WebAssembly
  vi.spyOn(WebAssembly, 'Instance').mockImplementation(function (
    module: WebAssembly.Module,
    imports: object,
  ) {
    if (imports !== undefined) throw refusal
    return new Instance(module)
  } as never)
}

describe.each(refusals)('a system that has no memory for another instance, as %s says it', (_, refusal) => {
  it.each<[string, () => Promise<unknown>]>([
    ['createVerifier', () => createVerifier({ workers: 0, cache: false, kernel: 'simd128' })],
    ['loadKzg', () => loadKzg({ kernel: 'simd128' })],
    ['createProver', () => createProver({ workers: 0, kernel: 'simd128' })],
    ['loadProver', () => loadProver({ kernel: 'simd128' })],
    ['loadBeacon', () => loadBeacon()],
    ['loadLightClientSpec', () => loadLightClientSpec()],
    [
      'LightClient.fromCheckpoint',
      () =>
        LightClient.fromCheckpoint({
          ...{ checkpoint: new Uint8Array(32), beacon: 'http://nobody.example', worker: false },
          ...{ store: false, kernel: 'simd128' },
        }),
    ],
  ])('%s rejects with what says so', async (_, load) => {
    refuseWith(refusal)
    await expect(load()).rejects.toThrow(WasmUnavailableError)
    await expect(load()).rejects.toThrow('the module ran out of memory')
  })
})

// The calling thread has one instance of each module for good, whose memory is that of the first case from here on.
describe.each([0, 1, 2])('a verifier with %i workers', (workers) => {
  const verify = async (pages: number, items: readonly MadeBlob[]): Promise<Verdict[]> => {
    const onWarning = vi.fn()
    const verifier = await createVerifier({ ...(await small(pages)), workers, cache: false, onWarning })
    try {
      const verdicts = await verifier.verifyBlobs(items)
      expect(verifier.stats().crashes).toBeGreaterThan(0)
      const whose = workers > 0 ? 'a worker crashed' : 'the calling thread could not do a task'
      expect(onWarning).toHaveBeenCalledExactlyOnceWith({
        code: 'worker-crashed',
        message: expect.stringMatching(`^${whose}: \\w.+; `) as string,
      })
      // It goes on as well as before.
      expect((await verifier.verifyBlobs([items[0]!])).map(({ status }) => status)).toEqual([
        verdicts[0]!.status,
      ])
      return verdicts
    } finally {
      await verifier.dispose()
    }
  }

  it('verifies one by one what is too much together', async () => {
    const verdicts = await verify(SMALL, items)
    expect(verdicts.map(({ status }) => status)).toEqual([
      'valid',
      'invalid',
      ...Array<string>(14).fill('valid'),
    ])
  })

  if (workers > 0) {
    it('says of what does not fit that nothing is known about it', async () => {
      const few = items.slice(0, 3)
      expect(await verify(TOO_SMALL, few)).toMatchObject(
        few.map(() => ({ status: 'error', reason: 'worker-crashed', links: { kzg: 'absent' } })),
      )
    })

    it('says at its start that there is no memory at all', async () => {
      const opening = createVerifier({ ...(await small(NONE)), workers, cache: false })
      await expect(opening).rejects.toThrow(WasmUnavailableError)
      await expect(opening).rejects.toThrow(/no worker could be started: .*the module ran out of memory/)
    })
  }
})

it('a block that there is no memory for throws what is documented, and the next one is read', async () => {
  const beacon = await loadBeacon({
    wasm: { simd128: withPages(await readAssetBytes('beacon_simd128.wasm'), 20) },
  })
  const chain = await handChain({ blobsPerBlock: 1 })
  const { network, head } = chain
  const long = concat(head.block!.ssz(), new Uint8Array(9 << 20))
  for (let round = 0; round < 3; round++) {
    expect(() => beacon.readBlock(long, { network })).toThrow(WasmUnavailableError)
    expect(() => beacon.readBlock(long, { network })).toThrow('the module ran out of memory')
    expect(beacon.readBlock(head.block!.ssz(), { network }).root).toBe(head.root)
  }
})

it('a block in JSON that there is no memory for as SSZ throws the same', async () => {
  const beacon = await loadBeacon()
  vi.stubGlobal('Uint8Array', function () {
    throw new RangeError('Array buffer allocation failed')
  })
  try {
    expect(() => beacon.readBlock('{"slot":"269568"}')).toThrow(WasmUnavailableError)
  } finally {
    vi.unstubAllGlobals()
  }
  expect(() => beacon.readBlock('{"slot":"8626176"}')).toThrow(SszError)
})

it('a prover’s setup that there is no memory for throws what is documented', async () => {
  const simd128 = await readAssetBytes('prover_simd128.wasm')
  for (let round = 0; round < 2; round++) {
    const loading = loadProver({ kernel: 'simd128', wasm: { simd128: withPages(simd128, PROVER) } })
    await expect(loading).rejects.toThrow(WasmUnavailableError)
  }
})

/** Of a worker with all the memory that it wants. */
async function expectedProofs(): Promise<CellsAndKzgProofs> {
  const prover = await createProver({ workers: 1 })
  try {
    return await prover.computeCellsAndKzgProofs(blobs.noise)
  } finally {
    await prover.dispose()
  }
}

describe.each([
  [1, NO_PART],
  [2, NO_PART],
  [1, SOME_PARTS],
  [2, SOME_PARTS],
])('a prover’s tables that %i workers have no memory for, with %i pages each', (workers, pages) => {
  it('are given up, which is said, and it proves without them', async () => {
    const simd128 = withPages(await readAssetBytes('prover_simd128.wasm'), pages)
    const expected = await expectedProofs()
    const warnings: Warning[] = []
    const prover = await createProver({
      ...{ workers, kernel: 'simd128', wasm: { simd128 }, precompute: { rows: 1, width: 7 } },
      onWarning: (warning) => warnings.push(warning),
    })
    const threads = await watchThreads()
    try {
      await prover.prepare()
      const proofs = await prover.computeCellsAndKzgProofs(blobs.noise)
      // Each crash takes a worker, and another one takes its place.
      const { started } = threads
      expect(started).toBeGreaterThanOrEqual(2)
      await prover.prepare()
      expect(await prover.computeCellsAndKzgProofs(blobs.noise)).toEqual(proofs)
      expect(proofs).toEqual(expected)
      expect(threads.started).toBe(started)
      expect(prover.tables?.parts).toEqual(range(16).map(() => 'absent'))
      expect(warnings.map(({ code }) => code)).toEqual(['worker-crashed', 'no-tables'])
    } finally {
      threads.stop()
      await prover.dispose()
    }
  })
})

describe('the specification’s functions', () => {
  const verifyFirst = (kzg: Kzg, count: number): boolean => {
    const given = items.slice(2, 2 + count)
    return kzg.verifyBlobKzgProofBatch(
      given.map(({ blob }) => blob),
      given.map(({ commitment }) => commitment),
      given.map(({ proof }) => proof),
    )
  }

  it('throw what is documented, and go on', async () => {
    const kzg = await loadKzg(await small(SMALL, readKzgModule))
    for (let round = 0; round < 3; round++) {
      expect(() => verifyFirst(kzg, 8)).toThrow(WasmUnavailableError)
      expect(() => verifyFirst(kzg, 8)).toThrow('the module ran out of memory')
      expect(verifyFirst(kzg, 1)).toBe(true)
      expect(kzg.verifyBlobKzgProof(items[1]!.blob, items[1]!.commitment, items[1]!.proof)).toBe(false)
    }
  })

  it.each(refusals)(
    'do so where there is no memory for a fresh instance then, as %s says it',
    async (_, no) => {
      const kzg = await loadKzg(await small(SMALL, readKzgModule))
      refuseWith(no)
      expect(() => verifyFirst(kzg, 8)).toThrow(WasmUnavailableError)
      // Nothing is asked of the instance that trapped.
      expect(() => verifyFirst(kzg, 1)).toThrow(WasmUnavailableError)
      vi.restoreAllMocks()
      expect(verifyFirst(kzg, 1)).toBe(true)
      expect(() => verifyFirst(kzg, 8)).toThrow('the module ran out of memory')
      expect(verifyFirst(kzg, 1)).toBe(true)
    },
  )
})
