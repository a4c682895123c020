/** Modules that get no more memory: what can be verified with what there is, is, and of the rest nothing is said. */
import { createVerifier, type Verdict, WasmUnavailableError } from 'blobcheck'
import { loadKzg } from 'blobcheck/kzg'
import { LightClient, loadLightClientSpec } from 'blobcheck/light-client'
import { createProver, loadProver } from 'blobcheck/prover'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { makeBadBlob, makeBlob, type MadeBlob, range } from '../support/make.ts'
import { readModule, withPages } from '../support/modules.ts'

afterEach(() => void vi.restoreAllMocks())

/** A blob at a time fits, and a batch of eight does not. */
const SMALL = 30
/** Not even a blob does. */
const TOO_SMALL = 20
/** The module cannot even be tried out. */
const NONE = 17

const items = [makeBlob(1), makeBadBlob(2), ...range(14).map((at) => makeBlob(3 + at))]
const small = async (pages: number): Promise<{ wasm: { simd128: Uint8Array<ArrayBuffer> } }> => ({
  wasm: { simd128: withPages(await readModule('simd128'), pages) },
})

describe('a system that has no memory for another instance', () => {
  /** As V8 says it, who cannot reserve the address space. The module of the probe has no memory. */
  const refuse = (): void => {
    const { Instance } = WebAssembly
    vi.spyOn(WebAssembly, 'Instance').mockImplementation(function (
      module: WebAssembly.Module,
      imports: object,
    ) {
      if (imports !== undefined)
        throw new RangeError('Out of memory: Cannot allocate Wasm memory for new instance')
      return new Instance(module)
    } as never)
  }

  it.each<[string, () => Promise<unknown>]>([
    ['createVerifier', () => createVerifier({ workers: 0, cache: false, kernel: 'simd128' })],
    ['loadKzg', () => loadKzg({ kernel: 'simd128' })],
    ['createProver', () => createProver({ workers: 0, kernel: 'simd128' })],
    ['loadProver', () => loadProver({ kernel: 'simd128' })],
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
    refuse()
    await expect(load()).rejects.toThrow(WasmUnavailableError)
    await expect(load()).rejects.toThrow('the module ran out of memory')
  })
})

// The calling thread has one instance of each module for good, whose memory is that of the first case from here on.
describe.each([0, 1, 2])('a verifier with %i workers', (workers) => {
  const verify = async (pages: number, items: readonly MadeBlob[]): Promise<Verdict[]> => {
    const verifier = await createVerifier({ ...(await small(pages)), workers, cache: false })
    try {
      const verdicts = await verifier.verifyBlobs(items)
      expect(verifier.stats().crashes).toBeGreaterThan(0)
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

it('the specification’s functions throw what is documented, and go on', async () => {
  const kzg = await loadKzg(await small(SMALL))
  const batch = (count: number): boolean => {
    const given = items.slice(2, 2 + count)
    return kzg.verifyBlobKzgProofBatch(
      given.map(({ blob }) => blob),
      given.map(({ commitment }) => commitment),
      given.map(({ proof }) => proof),
    )
  }
  for (let round = 0; round < 3; round++) {
    expect(() => batch(8)).toThrow(WasmUnavailableError)
    expect(() => batch(8)).toThrow('the module ran out of memory')
    expect(batch(1)).toBe(true)
    expect(kzg.verifyBlobKzgProof(items[1]!.blob, items[1]!.commitment, items[1]!.proof)).toBe(false)
  }
})
