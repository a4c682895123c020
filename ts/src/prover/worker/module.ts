/**
 * The prover's WASM module: one instance of each kernel on a thread, with the setup that it was given. All provers of a thread share it:
 * what they compute depends on neither the tables nor on who asks.
 */
import { instance as relaxedSimd } from '#wasm/prover/relaxed-simd'
import { instance as simd128 } from '#wasm/prover/simd128'
import { KzgInputError } from '../../kzg/input-error.ts'
import type { KernelName } from '../../runtime/kernel/kernel.ts'
import { Instances, isTrap, outOfMemory } from '../../runtime/kernel/module.ts'
import type { KzgInputCode } from '../../verdict/reasons.ts'
import type { TableShape } from '../options.ts'
import type { TableOrigin } from '../tables/cache.ts'

/** The exports that both kernels have, as wasm-bindgen types them. */
export type Exports = Omit<typeof simd128, 'initSync' | '__wbg_reset_state'>

const instances: Instances<typeof simd128> = new Instances({
  simd128,
  'relaxed-simd': relaxedSimd,
})

/** One kernel's instance on this thread, with the setup that it was given; made by `instantiateProver`. */
export class ProverInstance {
  readonly kernel: KernelName
  /** Kept, since an instance that trapped has forgotten them. */
  readonly #halves: Uint8Array[] = []
  /** How many of them the instance has read. */
  #read = 0
  #tables: TableShape | null = null
  /** Parts of the tables that were not worked out here. */
  readonly #kept = new Set<number>()

  constructor(kernel: KernelName, module: WebAssembly.Module) {
    this.kernel = kernel
    instances.instantiate(kernel, module)
  }

  get #exports(): Exports {
    return instances.exportsOf(this.kernel)
  }

  /** How many halves of the setup it has: the blobs', then that of the extension's cells. */
  get halves(): number {
    return this.#halves.length
  }

  /** The shape of the tables that it has, or will have; null where there are none. */
  get tables(): TableShape | null {
    return this.#tables
  }

  /** Whether the module computes rightly here. */
  isSound(): boolean {
    return this.run(null, (exports) => exports.fused())
  }

  /** Hands over the next half, if it is the next; false for bytes that are not Ethereum's setup. A trap throws as in `run`. */
  give(half: number, bytes: Uint8Array): boolean {
    if (half < this.#halves.length) return true
    if (half > this.#halves.length || !this.run(null, () => this.#readHalf(half, bytes))) return false
    this.#halves.push(bytes)
    this.#read++
    return true
  }

  /**
   * Runs a task, with the tables of a shape if there is one to be had. Malformed input throws `KzgInputError`; a trap
   * `WasmUnavailableError`, after which the next task finds a fresh instance.
   */
  run<T>(tables: TableShape | null, task: (exports: Exports) => T): T {
    try {
      this.#useTables(tables)
      this.#readHalves()
      return task(this.#exports)
    } catch (error) {
      // code + 256 · index, as crates/wasm-prover throws them; 0 is our own mistake.
      if (typeof error === 'number' && error !== 0)
        throw new KzgInputError(
          this.#exports.reasonName(error % 256) as KzgInputCode,
          Math.floor(error / 256),
        )
      if (isTrap(error)) {
        this.#forget()
        throw outOfMemory(error)
      }
      throw error === 0 ? new Error('the setup was not given to this thread') : error
    }
  }

  tableOrigin(tables: TableShape, part: number): TableOrigin {
    if (!this.run(tables, (exports) => exports.hasTable(part))) return 'absent'
    return this.#kept.has(part) ? 'kept' : 'worked-out'
  }

  /** Takes a part of the tables that the caller is sure of, unless it is there by now; false for bytes that are none. */
  takeTable(tables: TableShape, part: number, bytes: Uint8Array): boolean {
    if (this.tableOrigin(tables, part) !== 'absent') return true
    const isTaken = this.run(tables, (exports) => exports.takeTable(part, bytes))
    if (isTaken) this.#kept.add(part)
    return isTaken
  }

  /** Works out a part of the tables; its bytes, if they are asked for. */
  makeTable(tables: TableShape, part: number, asBytes: boolean): Uint8Array<ArrayBuffer> | null {
    this.run(tables, (exports) => exports.prepareTable(part))
    return asBytes
      ? (this.run(tables, (exports) => exports.tablePart(part)) as Uint8Array<ArrayBuffer>)
      : null
  }

  /** Has no tables any more: the next task finds an instance without. */
  dropTables(): void {
    if (this.#tables !== null) this.#forget()
  }

  /** An instance has tables of one shape, for good. A prover that wants none makes do with those that there are. */
  #useTables(shape: TableShape | null): void {
    const [now, wanted] = [this.#tables, shape]
    if (wanted === null || (now?.rows === wanted.rows && now.width === wanted.width)) return
    if (now !== null) this.#forget()
    this.#exports.useTables(wanted.rows, wanted.width)
    this.#tables = wanted
  }

  #readHalves(): void {
    for (; this.#read < this.#halves.length; this.#read++) {
      if (!this.#readHalf(this.#read, this.#halves[this.#read]!))
        throw new Error('the setup was changed since it was given')
    }
  }

  #readHalf(half: number, bytes: Uint8Array): boolean {
    return half === 0 ? this.#exports.readSetup(bytes) : this.#exports.readSetupExtension(bytes)
  }

  #forget(): void {
    this.#read = 0
    this.#tables = null
    this.#kept.clear()
    instances.revive(this.kernel)
  }
}

const made = new Map<KernelName, ProverInstance>()

/** The instance of a kernel on this thread: asking again gives the same one. */
export function instantiateProver(kernel: KernelName, module: WebAssembly.Module): ProverInstance {
  const existing = made.get(kernel)
  if (existing !== undefined) return existing
  const instance = new ProverInstance(kernel, module)
  made.set(kernel, instance)
  return instance
}
