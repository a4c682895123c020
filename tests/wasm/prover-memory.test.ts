/** A prover that runs out of memory says so, and goes on. The module is given a ceiling that its tables do not fit under. */
import { createProver, loadProver, WasmUnavailableError } from 'blobcheck/prover'
import { expect, it } from 'vitest'
import { infinity } from '../support/make.ts'
import { readAssetBytes } from '../support/modules.ts'
import { watchThreads } from '../support/threads.ts'

/** Below the 50 MB of these tables, and above everything else. */
const PAGES = (32 << 20) / 65_536
const precompute = { rows: 1, width: 8 } as const
const zero = new Uint8Array(131_072)

/** A number of WebAssembly's, in seven bits a byte; and where it ends. */
function readLeb(bytes: Uint8Array, at: number): [value: number, end: number] {
  let [value, shift] = [0, 0]
  for (; ; shift += 7) {
    const byte = bytes[at++]!
    value |= (byte & 127) << shift
    if (byte < 128) return [value, at]
  }
}

const leb = (value: number): number[] => (value < 128 ? [value] : [(value & 127) | 128, ...leb(value >> 7)])

/** The module with a largest size for its memory (section 5: one memory, flag 0, least size). */
function limited(module: Uint8Array): Uint8Array<ArrayBuffer> {
  for (let at = 8; at < module.length;) {
    const [length, start] = readLeb(module, at + 1)
    if (module[at] === 5) {
      expect([...module.subarray(start, start + 2)]).toEqual([1, 0])
      const memory = [1, 1, ...leb(readLeb(module, start + 2)[0]), ...leb(PAGES)]
      const rest = module.subarray(start + length)
      return Uint8Array.from([...module.subarray(0, at), 5, ...leb(memory.length), ...memory, ...rest])
    }
    at = start + length
  }
  throw new Error('the module has no memory')
}

const wasm = { simd128: limited(await readAssetBytes('prover_simd128.wasm')) }

it('in the calling thread', async () => {
  // Both stand on the thread's one instance.
  const plain = await loadProver({ wasm })
  const greedy = await loadProver({ wasm, precompute })
  for (let round = 0; round < 2; round++) {
    expect(() => greedy.computeCellsAndKzgProofs(zero)).toThrow(WasmUnavailableError)
    expect(greedy.blobToKzgCommitment(zero)).toEqual(infinity)
    expect(plain.computeCellsAndKzgProofs(zero).proofs).toEqual(Array(128).fill(infinity))
  }
})

it('in a worker, which is replaced: the tables of one task fit into a fresh one', async () => {
  const threads = await watchThreads()
  const prover = await createProver({ wasm, precompute, workers: 1 })
  try {
    const { proofs } = await prover.computeCellsAndKzgProofs(zero)
    expect(proofs).toEqual(Array(128).fill(infinity))
    expect(threads.started).toBeGreaterThan(1)
  } finally {
    await prover.dispose()
    threads.stop()
  }
})
