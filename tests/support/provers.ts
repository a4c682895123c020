/**
 * The prover on the kernels that are to be tested here, by name; with tables, too, which change the way and not the result. What
 * an engine holds is the thread's: the order in which these are used decides what is worked out anew, and nothing else.
 */
import { type AsyncProver, createProver, loadProver, type Prover } from 'blobcheck/prover'
import { besides, mustHaveRelaxed } from './kernels.ts'
import { WasmUnavailableError } from 'blobcheck'

export interface ProverUnderTest {
  readonly name: string
  readonly prover: Prover
}

export const tables = { rows: 1, width: 5 } as const

/** Synchronous provers on all kernels that are to be tested here, the one with tables last. */
export async function proversHere(): Promise<ProverUnderTest[]> {
  const baseline = { name: 'simd128', prover: await loadProver({ kernel: 'simd128' }) }
  try {
    const prover = await loadProver({ kernel: 'relaxed-simd', precompute: tables })
    return besides(baseline, [{ name: 'relaxed-simd, with tables', prover }])
  } catch (error) {
    if (mustHaveRelaxed || !(error instanceof WasmUnavailableError)) throw error
    const prover = await loadProver({ kernel: 'simd128', precompute: tables })
    return [baseline, { name: 'simd128, with tables', prover }]
  }
}

const open: AsyncProver[] = []

/** A prover that `disposeAll` ends. */
export const openProver: typeof createProver = async (options) => {
  const prover = await createProver(options)
  open.push(prover)
  return prover
}

export async function disposeAll(): Promise<void> {
  await Promise.all(open.splice(0).map((prover) => prover.dispose()))
}
