/** Which kernels there are here: asked for outright, the fast one is sound or refused, never quietly replaced. */
import { createVerifier, WasmUnavailableError } from 'blobcheck'
import { loadKzg } from 'blobcheck/kzg'
import { describe, expect, it } from 'vitest'
import { inBrowser } from '../support/files.ts'
import { kernelsHere, loadRelaxed, mustHaveRelaxed } from '../support/kernels.ts'

/** Node 20's V8 miscompiles a neighbour of relaxed SIMD. */
const engineIsTooOld = !inBrowser && Number.parseInt(process.versions.node) < 22

describe('the kernels', async () => {
  const fast = await loadRelaxed()
  const missing = fast instanceof Error

  it('include the baseline, by name, and are tested', async () => {
    expect((await loadKzg({ kernel: 'simd128' })).kernel).toBe('simd128')
    const kernels = (await kernelsHere()).map(({ kzg }) => kzg.kernel)
    expect(kernels).toContain(mustHaveRelaxed ? 'relaxed-simd' : 'simd128')
  })

  it('include the fast one, or refuse it by name where the engine does not compute it rightly', async () => {
    if (mustHaveRelaxed) expect(missing).toBe(false)
    if (engineIsTooOld) expect(missing).toBe(true)
    if (!missing) {
      expect(fast.kernel).toBe('relaxed-simd')
    } else {
      expect(fast).toBeInstanceOf(WasmUnavailableError)
      const asked = createVerifier({ kernel: 'relaxed-simd', workers: 0, cache: false })
      await expect(asked).rejects.toThrow(WasmUnavailableError)
    }
  })

  it('are chosen by soundness: automatically the fast one where it is sound, else the baseline', async () => {
    const kernel = missing ? 'simd128' : 'relaxed-simd'
    expect((await loadKzg()).kernel).toBe(kernel)
    const verifier = await createVerifier({ cache: false, workers: 1 })
    try {
      expect(verifier.kernel).toBe(kernel)
      expect(verifier.kernelReason).not.toBe('')
    } finally {
      await verifier.dispose()
    }
  })
})
