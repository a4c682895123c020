/** The choice of the kernel, and its confirmation by the baseline: a fast module that is wrong accuses nobody, and is not used again. */
import { createVerifier, WasmUnavailableError, type Verdict, type Verifier } from 'blobcheck'
import { loadKzg } from 'blobcheck/kzg'
import { createProver, loadProver } from 'blobcheck/prover'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { makeBadBlob, makeBlob, makeCell, never, range, realBlobs, tampered } from '../support/make.ts'
import { engineHere } from '../support/engine-name.ts'
import { inBrowser } from '../support/files.ts'
import { mustHaveRelaxed } from '../support/kernels.ts'
import {
  readKzgModule,
  readVerifierModule,
  unseen,
  withWrongProducts,
  withWrongSetup,
} from '../support/modules.ts'
import { trapWorker } from '../support/threads.ts'

/** Not written in one expression with `new URL`: bundlers would take the module for an asset. */
const here: string = import.meta.url

const verifiers: Verifier[] = []
afterEach(async () => {
  vi.restoreAllMocks()
  await Promise.all(verifiers.splice(0).map((verifier) => verifier.dispose()))
})

const open: typeof createVerifier = async (options) => {
  const verifier = await createVerifier({ cache: false, ...options })
  verifiers.push(verifier)
  return verifier
}

const statuses = (verdicts: readonly Verdict[]): string[] => verdicts.map(({ status }) => status)

const hasRelaxed = await (async () => {
  const verifier = await createVerifier({ workers: 0, cache: false })
  await verifier.dispose()
  return verifier.kernel === 'relaxed-simd'
})()

it('has an instance for the verifier and another for the specification’s functions, on one thread', async () => {
  const { blob, commitment, proof } = makeBlob(3)
  for (const first of ['verifier', 'kzg'] as const) {
    const kzgBefore = first === 'kzg' ? await loadKzg() : null
    const verifier = await open({ workers: 0 })
    const kzg = kzgBefore ?? (await loadKzg())
    expect(kzg.verifyBlobKzgProof(blob, commitment, proof)).toBe(true)
    expect(statuses(await verifier.verifyBlobs([makeBlob(3), makeBadBlob(3)]))).toEqual(['valid', 'invalid'])
    expect(kzg.verifyBlobKzgProofBatch([blob], [commitment], [proof])).toBe(true)
  }
})

it('is the relaxed one wherever it must be', async ({ task }) => {
  expect(hasRelaxed || !mustHaveRelaxed).toBe(true)
  const { kernel, workers } = await open()
  expect(kernel).toBe(hasRelaxed ? 'relaxed-simd' : 'simd128')
  expect(workers).toBeGreaterThan(0)
  task.meta.engine = { name: engineHere, kernel, workers }
})

// Where there is no relaxed SIMD there is no fast module to be wrong; a run that must have it has asserted so above.
const wherePossible = hasRelaxed ? describe : (): void => {}
wherePossible('a fast module that refuses true proofs', () => {
  const wrongModule = async (): Promise<Uint8Array<ArrayBuffer>> =>
    unseen(withWrongSetup(await readVerifierModule('relaxed-simd')))

  it.each([1, 2, 4])('accuses nobody and is demoted, %i workers', async (workers) => {
    const verifier = await open({ workers, wasm: { 'relaxed-simd': await wrongModule() } })
    expect(verifier.kernel).toBe('relaxed-simd')
    const real = await realBlobs()
    const verdicts = await verifier.verifyBlobs([...real, tampered(real[3]!), makeBadBlob(5), makeBlob(6)])
    expect(statuses(verdicts)).toEqual([...Array<string>(6).fill('valid'), 'invalid', 'invalid', 'valid'])
    expect(verifier.kernel).toBe('simd128')
    expect(verifier.kernelReason).toMatch(/wrong answer/)
    const { kernelDisagreements, confirmations, errors, crashes } = verifier.stats()
    expect(kernelDisagreements).toBeGreaterThanOrEqual(1)
    expect(confirmations).toBeGreaterThan(kernelDisagreements)
    expect({ errors, crashes }).toEqual({ errors: 0, crashes: 0 })
    // From here on the baseline computes: nothing is left to disagree with.
    expect(statuses(await verifier.verifyBlobs(real))).toEqual(Array<string>(6).fill('valid'))
    expect(verifier.stats()).toMatchObject({ kernelDisagreements, confirmations })
  })

  it.each([1, 2])('nor of blobs without proofs, %i workers', async (workers) => {
    const real = await realBlobs()
    const bare = [...real, tampered(real[3]!)].map(({ blob, commitment }) => ({ blob, commitment }))
    const refusing = await open({ workers, workerUrl: trapWorker({ refuse: true }) })
    const verdicts = await refusing.verifyBlobs(bare)
    expect(statuses(verdicts)).toEqual([...Array<string>(6).fill('valid'), 'invalid'])
    expect(refusing.kernel).toBe('simd128')
    expect(refusing.stats()).toMatchObject({ errors: 0, crashes: 0 })
    expect(refusing.stats().kernelDisagreements).toBeGreaterThanOrEqual(1)
  })

  it('nor in calls that are under way when it is found out', async () => {
    const verifier = await open({ workers: 3, wasm: { 'relaxed-simd': await wrongModule() } })
    const real = await realBlobs()
    const calls = range(10).map((round) => verifier.verifyBlobs([...real, makeBadBlob(round + 1)]))
    for (const verdicts of await Promise.all(calls)) {
      expect(statuses(verdicts)).toEqual([...Array<string>(6).fill('valid'), 'invalid'])
    }
    expect(verifier.stats()).toMatchObject({ errors: 0, crashes: 0 })
  })

  it('where the baseline cannot be asked, nothing is said against anyone', async () => {
    const wasm = { 'relaxed-simd': await wrongModule(), simd128: Uint8Array.of(0, 97, 115, 109) }
    const verifier = await open({ workers: 2, kernel: 'relaxed-simd', wasm })
    const real = await realBlobs()
    expect(statuses(await verifier.verifyBlobs([real[0]!, makeBlob(1), makeBadBlob(2)]))).toEqual([
      'error',
      'valid',
      'error',
    ])
    expect(verifier.stats().kernelDisagreements).toBe(0)
  })

  it('nor against the sender of a blob without a proof', async () => {
    const wasm = {
      simd128: Uint8Array.of(0, 97, 115, 109),
      'relaxed-simd': await readKzgModule('relaxed-simd'),
    }
    const verifier = await open({ workers: 1, kzg: { wasm } })
    const bare = [makeBlob(1), makeBadBlob(2)].map(({ blob, commitment }) => ({ blob, commitment }))
    expect(statuses(await verifier.verifyBlobs(bare))).toEqual(['valid', 'error'])
    expect(verifier.stats()).toMatchObject({ kernelDisagreements: 0, confirmations: 0 })
  })

  it('a sound one is confirmed and stays', async () => {
    const verifier = await open({ workers: 2 })
    expect(statuses(await verifier.verifyBlobs([makeBadBlob(1), makeBlob(2), makeBadBlob(3)]))).toEqual([
      'invalid',
      'valid',
      'invalid',
    ])
    expect(verifier.stats()).toMatchObject({ confirmations: 2, kernelDisagreements: 0 })
    expect(verifier.kernel).toBe('relaxed-simd')
  })

  it('a confirmation that never comes back is tried again, and then an error, not a refusal', async () => {
    const verifier = await open({ workers: 2, workerUrl: trapWorker({ confirm: true }) })
    expect(statuses(await verifier.verifyBlobs([makeBlob(1), makeBadBlob(2)]))).toEqual(['valid', 'error'])
    expect(verifier.stats()).toMatchObject({ crashes: 2, confirmations: 0 })
  })
})

wherePossible('the probe that is repeated', () => {
  it.each([1, 2])('puts the baseline in the place of a kernel that fails it, %i workers', async (workers) => {
    const verifier = await open({ workers, workerUrl: trapWorker({ unsound: true }) })
    expect(verifier.kernel).toBe('relaxed-simd')
    expect(statuses(await verifier.verifyBlobs([makeBlob(1)]))).toEqual(['valid'])
    await vi.waitFor(() => expect(verifier.kernel).toBe('simd128'), { timeout: 60_000 })
    expect(verifier.kernelReason).toMatch(/failed its probe when it was repeated/)
    expect(statuses(await verifier.verifyBlobs([makeBlob(2), makeBadBlob(3)]))).toEqual(['valid', 'invalid'])
    // That one was the baseline's word already.
    expect(verifier.stats()).toMatchObject({ kernelDisagreements: 0, errors: 0, crashes: 0 })
  })

  it('leaves a sound one in its place, however often the workers idle', async () => {
    const verifier = await open({ workers: 2 })
    for (let at = 1; at <= 70; at++)
      expect(statuses(await verifier.verifyCells([makeCell(at, 1)]))).toEqual(['valid'])
    expect(verifier.kernel).toBe('relaxed-simd')
    expect(verifier.stats()).toMatchObject({ kernelDisagreements: 0, errors: 0, crashes: 0 })
  })

  it('is not waited for by those who leave', async () => {
    const verifier = await createVerifier({ workers: 1, cache: false })
    expect(statuses(await verifier.verifyBlobs([makeBlob(1)]))).toEqual(['valid'])
    await verifier.dispose()
    expect(verifier.kernel).toBe('relaxed-simd')
  })
})

wherePossible('a fast module that multiplies wrongly', () => {
  const wrongModule = async (read = readVerifierModule): Promise<Uint8Array<ArrayBuffer>> =>
    unseen(withWrongProducts(await read('relaxed-simd')))

  it.each([1, 2])('is found out by its own probe before it is asked, %i workers', async (workers) => {
    const verifier = await open({ workers, wasm: { 'relaxed-simd': await wrongModule() } })
    expect(verifier.kernel).toBe('simd128')
    expect(statuses(await verifier.verifyBlobs([makeBlob(1), makeBadBlob(2)]))).toEqual(['valid', 'invalid'])
    expect(verifier.stats()).toMatchObject({ kernelDisagreements: 0, errors: 0 })
  })

  it.each([0, 2])('so is that of blobs without proofs, %i workers', async (workers) => {
    const verifier = await open({
      workers,
      kzg: { wasm: { 'relaxed-simd': await wrongModule(readKzgModule) } },
    })
    expect(verifier.kernel).toBe('relaxed-simd')
    const bare = [makeBlob(1), makeBadBlob(2), makeBlob(3)].map(({ blob, commitment }) => ({
      blob,
      commitment,
    }))
    expect(statuses(await verifier.verifyBlobs(bare))).toEqual(['valid', 'invalid', 'valid'])
    expect(verifier.stats()).toMatchObject({ kernelDisagreements: 0, errors: 0, crashes: 0 })
  })

  it('cannot be asked for', async () => {
    const wasm = { 'relaxed-simd': await wrongModule() }
    await expect(open({ workers: 1, kernel: 'relaxed-simd', wasm })).rejects.toThrow(WasmUnavailableError)
  })
})

describe('a module that is brought alone', () => {
  it('is the one that blobcheck/kzg computes with, and no other is looked for', async () => {
    const simd128 = await WebAssembly.compile(await readKzgModule('simd128'))
    const compilers = (['compile', 'compileStreaming'] as const).map((name) => vi.spyOn(WebAssembly, name))
    const kzg = await loadKzg({ wasm: { simd128 } })
    expect(kzg.kernel).toBe('simd128')
    for (const compile of compilers) expect(compile).not.toHaveBeenCalled()
    const [real] = await realBlobs()
    const { blob, commitment, proof } = real!
    expect(kzg.verifyBlobKzgProof(blob, commitment, proof)).toBe(true)
  })

  it('does not keep one from being used that is asked for', async () => {
    const simd128 = await readKzgModule('simd128')
    const asked = loadKzg({ kernel: 'relaxed-simd', wasm: { simd128 } })
    if (hasRelaxed) expect((await asked).kernel).toBe('relaxed-simd')
    else await expect(asked).rejects.toThrow(WasmUnavailableError)
  })
})

// Where there is no relaxed SIMD the baseline is chosen before any module is looked for.
wherePossible('a fast module that is not to be had', () => {
  const nowhere = (): URL => new URL('../no-such-module.wasm', here)
  const compiledAsNone = (): Uint8Array<ArrayBuffer> => Uint8Array.of(1, 2, 3)

  it.each([
    { what: 'a file that is not there', source: nowhere },
    { what: 'bytes that are no module', source: compiledAsNone },
  ])('leaves the baseline to all entries: $what', async ({ source }) => {
    const wasm = { 'relaxed-simd': source() }
    const onWarning = vi.fn()
    const verifier = await open({ workers: 1, wasm, onWarning })
    expect(onWarning).toHaveBeenCalledExactlyOnceWith({
      code: 'slower-kernel',
      message: expect.stringMatching(/^the relaxed-simd module could not be loaded: /) as string,
    })
    expect(verifier.kernel).toBe('simd128')
    expect(verifier.kernelReason).toMatch(/relaxed-simd module could not be loaded/)
    expect(statuses(await verifier.verifyBlobs([makeBlob(1), makeBadBlob(2)]))).toEqual(['valid', 'invalid'])
    expect((await loadKzg({ wasm, onWarning })).kernel).toBe('simd128')
    expect((await loadProver({ wasm, proofs: 'blobs', onWarning })).kernel).toBe('simd128')
    const prover = await createProver({ wasm, workers: 1, onWarning })
    expect(prover.kernel).toBe('simd128')
    expect(prover.kernelReason).toMatch(/relaxed-simd module could not be loaded/)
    await prover.dispose()
  })

  it('does not, where it was asked for', async () => {
    const wasm = { 'relaxed-simd': nowhere() }
    await expect(open({ workers: 1, kernel: 'relaxed-simd', wasm })).rejects.toThrow(WasmUnavailableError)
    await expect(loadKzg({ kernel: 'relaxed-simd', wasm })).rejects.toThrow(WasmUnavailableError)
    await expect(loadProver({ kernel: 'relaxed-simd', wasm })).rejects.toThrow(WasmUnavailableError)
  })
})

// Nothing else keeps a page in memory.
if (inBrowser)
  it('a module that the browser has forgotten is compiled again when its page is come back to', async () => {
    const compiling = vi.spyOn(WebAssembly, 'compile').mockImplementation(never)
    const wasm = { simd128: unseen(await readVerifierModule('simd128')) }
    const opening = open({ workers: 1, wasm })
    await vi.waitFor(() => expect(compiling).toHaveBeenCalledOnce())
    vi.restoreAllMocks()
    dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
    const verifier = await opening
    expect(statuses(await verifier.verifyBlobs([makeBlob(1), makeBadBlob(2)]))).toEqual(['valid', 'invalid'])
  })

describe('a host that forbids WebAssembly', () => {
  it('is named in the message, with the remedy', async () => {
    const forbidden = function (): never {
      throw new WebAssembly.CompileError('blocked by Content Security Policy')
    }
    for (const name of ['compile', 'compileStreaming', 'instantiate'] as const)
      vi.spyOn(WebAssembly, name).mockImplementation(async () => forbidden())
    vi.spyOn(WebAssembly, 'Module').mockImplementation(forbidden as never)
    const wasm = { simd128: Uint8Array.of(1, 2, 3), 'relaxed-simd': Uint8Array.of(1, 2, 3) }
    for (const call of [open({ workers: 1, wasm }), loadKzg({ wasm }), loadProver({ wasm })]) {
      const error = await call.then(
        () => null,
        (reason: unknown) => reason,
      )
      expect(error).toBeInstanceOf(WasmUnavailableError)
      // Where there is no page, and so no policy, the compiled module helps.
      expect((error as Error).message).toMatch(
        /Content-Security-Policy.*'wasm-unsafe-eval'.*give it compiled with the option wasm/,
      )
    }
  })
})

describe('the probe', () => {
  const { validate, instantiate } = WebAssembly
  /** The modules that ask for relaxed SIMD are told by their only export. */
  const asksForFused = (source: unknown): boolean =>
    source instanceof Uint8Array &&
    source.length < 200 &&
    new TextDecoder('latin1').decode(source).includes('fused')

  async function expectBaseline(reason: RegExp): Promise<void> {
    const verifier = await open({ workers: 1 })
    expect(verifier.kernel).toBe('simd128')
    expect(verifier.kernelReason).toMatch(reason)
    expect(statuses(await verifier.verifyBlobs([makeBlob(1), makeBadBlob(2)]))).toEqual(['valid', 'invalid'])
    expect(verifier.stats().confirmations).toBe(0)
    await expect(open({ workers: 1, kernel: 'relaxed-simd' })).rejects.toThrow(WasmUnavailableError)
  }

  it('an engine without relaxed SIMD gets the baseline', async () => {
    vi.spyOn(WebAssembly, 'validate').mockImplementation((bytes) => !asksForFused(bytes) && validate(bytes))
    await expectBaseline(/unknown to this engine|miscompiles/)
  })

  it('so does one that does not fuse', async () => {
    vi.spyOn(WebAssembly, 'validate').mockImplementation((bytes) => asksForFused(bytes) || validate(bytes))
    vi.spyOn(WebAssembly, 'instantiate').mockImplementation((async (source: never, imports: never) =>
      asksForFused(source)
        ? { instance: { exports: { fused: () => 0 } } }
        : await instantiate(source, imports)) as never)
    await expectBaseline(/not fused|miscompiles/)
  })

  it('and one that will not compile the probe', async () => {
    vi.spyOn(WebAssembly, 'validate').mockImplementation((bytes) => asksForFused(bytes) || validate(bytes))
    vi.spyOn(WebAssembly, 'instantiate').mockImplementation((async (source: never, imports: never) => {
      if (asksForFused(source)) throw new WebAssembly.CompileError('blocked by Content Security Policy')
      return await instantiate(source, imports)
    }) as never)
    await expectBaseline(/could not be probed|miscompiles/)
  })

  it('an engine without SIMD gets a WasmUnavailableError', async () => {
    vi.spyOn(WebAssembly, 'validate').mockReturnValue(false)
    for (const kernel of ['auto', 'simd128', 'relaxed-simd'] as const) {
      await expect(open({ workers: 0, kernel })).rejects.toThrow(WasmUnavailableError)
    }
  })

  it('a kernel that there is not is misuse', async () => {
    await expect(open({ kernel: 'fastest' as never })).rejects.toThrow(TypeError)
  })

  it.each([0, 1])('a module that is none: WasmUnavailableError, %i workers', async (workers) => {
    await expect(
      open({ workers, kernel: 'simd128', wasm: { simd128: Uint8Array.of(1, 2, 3) } }),
    ).rejects.toThrow(WasmUnavailableError)
  })
})
