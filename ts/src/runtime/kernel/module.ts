/** From a kernel's name to its compiled module, and from there to its instance on a thread. */
import { platform } from '#platform'
import type { CompileOptions } from '../platform/platform.ts'
import { isArrayBuffer } from '../../util/bytes.ts'
import { optionsOf, refuseUnknown } from '../../util/options.ts'
import { readUrl } from '../../util/url.ts'
import { messageOf, WasmUnavailableError } from '../errors.ts'
import type { KernelName } from './kernel.ts'
import { mayCompile } from './probe.ts'
import type { BinarySource, PlatformModule, PlatformUrl } from '../../util/platform-types.ts'

/**
 * Where a WebAssembly module comes from, where it is not fetched from beside the package's own files: the address of the file (text is
 * relative to the page), its bytes, or the compiled module (hosts that forbid compilation compile it when they deploy). Bytes are not
 * copied, and must not be changed: a module may be compiled when it is needed first.
 */
export type WasmSource = PlatformUrl | string | BinarySource | PlatformModule

/**
 * The caller's modules, by the names of their kernels; the package's own file serves for one that is not given. Who brings `simd128`
 * alone gets that kernel with `kernel: 'auto'`.
 */
export type WasmSources = { readonly [kernel in KernelName]?: WasmSource }

/**
 * The package's own files of one module, in each kernel. Each is a method with `new URL('…', import.meta.url)`: with a literal, bundlers find the
 * file and copy it. Where a `URL` is all that an arrow function has, those who trace the files of a server (@vercel/nft, for Next.js, Nitro and
 * Vercel) do not see it.
 */
export type WasmFiles = Readonly<Record<KernelName, () => PlatformUrl>> & {
  /** A function that no other module has. */
  readonly own: string
  /** The option by which callers bring their own, and what else helps where this one cannot be had. */
  readonly option: string
}

/** The caller's modules, read: text is an address. */
export type ReadSources = { readonly [kernel in KernelName]?: Exclude<WasmSource, string> }

/**
 * Reads the option `wasm`, once, so that no source is another one between the choice of a kernel and its confirmation. Throws `TypeError`
 * for what is no object of sources.
 */
export function readSources(wasm: WasmSources | undefined, name = 'wasm'): ReadSources {
  if (wasm === undefined) return {}
  const { simd128, 'relaxed-simd': relaxedSimd, ...unknown } = optionsOf(wasm, name)
  refuseUnknown(unknown, name)
  return {
    ...(simd128 !== undefined && { simd128: readSource(simd128, `${name}.simd128`) }),
    ...(relaxedSimd !== undefined && { 'relaxed-simd': readSource(relaxedSimd, `${name}['relaxed-simd']`) }),
  }
}

function readSource(source: WasmSource, name: string): Exclude<WasmSource, string> {
  if (isArrayBuffer(source) || ArrayBuffer.isView(source)) return source
  // There may be no WebAssembly at all: that is for the choice of a kernel to say.
  if (typeof WebAssembly === 'object' && source instanceof WebAssembly.Module) return source
  return readUrl(source, name, 'a URL, text, bytes or a WebAssembly.Module')!
}

/** A caller who brings the baseline module and no other wants that one. */
export function bringsOnlyBaseline(wasm: ReadSources): boolean {
  return wasm.simd128 !== undefined && wasm['relaxed-simd'] === undefined
}

/**
 * Loads and compiles a kernel's module, once for all workers; it is fetched with these options. Throws `WasmUnavailableError`, which says where
 * the module was looked for, what was there instead, and what helps.
 */
export async function compileKernel<K extends KernelName>(
  kernel: K,
  sources: ReadSources,
  files: Pick<WasmFiles, K | 'own' | 'option'>,
  init?: CompileOptions,
): Promise<PlatformModule> {
  const notLoaded = (why: string): string =>
    `the ${kernel} module could not be loaded: ${why}. Say where it is with the option ${files.option}`
  let module: PlatformModule
  try {
    // A script that a bundler made in one piece, or that has no place of its own (`data:`), has no file beside it: that throws here.
    const source = sources[kernel] ?? files[kernel]()
    module =
      source instanceof WebAssembly.Module
        ? source
        : await platform.lasting(() =>
            source instanceof URL
              ? platform.compile(source, init)
              : WebAssembly.compile(source as BufferSource),
          )
  } catch (cause) {
    const why = mayCompile()
      ? notLoaded(messageOf(cause))
      : "WebAssembly may not be compiled here: a page's Content-Security-Policy must have 'wasm-unsafe-eval' in its script-src. Elsewhere, give it compiled with the option " +
        files.option
    throw new WasmUnavailableError(why, { cause })
  }
  if (!WebAssembly.Module.exports(module).some(({ name }) => name === files.own))
    throw new WasmUnavailableError(notLoaded('what was found is another module'))
  return module
}

/**
 * The part of wasm-bindgen's glue that makes and unmakes an instance.
 *
 * @internal
 */
export interface Glue {
  initSync(source: { module: WebAssembly.Module }): unknown
  __wbg_reset_state(): void
}

/**
 * The instances of one module on this thread: at most one of each kernel.
 *
 * @internal
 */
export class Instances<G extends Glue> {
  readonly #glue: Readonly<Record<KernelName, G>>
  readonly #made = new Set<KernelName>()
  /** Those that trapped when there was no memory for a fresh one. */
  readonly #trapped = new Set<KernelName>()

  constructor(glue: Readonly<Record<KernelName, G>>) {
    this.#glue = glue
  }

  /**
   * The exports of a kernel, instantiated if it has not been: asking again gives the same instance. Throws `WasmUnavailableError` where
   * there is no memory for it.
   */
  instantiate(kernel: KernelName, module: WebAssembly.Module): G {
    if (!this.#made.has(kernel)) {
      withMemory(() => this.#glue[kernel].initSync({ module }))
      this.#made.add(kernel)
    }
    return this.exportsOf(kernel)
  }

  /**
   * The exports of a kernel that was instantiated, to be asked for before each task: where it trapped, and there was no memory for a fresh
   * instance then, there is one now, or `WasmUnavailableError` is thrown again.
   */
  exportsOf(kernel: KernelName): G {
    if (this.#trapped.has(kernel)) this.revive(kernel)
    return this.#glue[kernel]
  }

  /** What a task makes of an instance. Throws `WasmUnavailableError` where it traps, after which the next one finds fresh memory. */
  run<T>(kernel: KernelName, task: (exports: G) => T): T {
    try {
      return task(this.exportsOf(kernel))
    } catch (error) {
      if (!isTrap(error)) throw error
      this.revive(kernel)
      throw outOfMemory(error)
    }
  }

  /**
   * After a trap: the same module with fresh memory. Everything that the instance held is gone. Throws `WasmUnavailableError` where there is
   * no memory for it now.
   */
  revive(kernel: KernelName): void {
    this.#trapped.add(kernel)
    withMemory(() => this.#glue[kernel].__wbg_reset_state())
    this.#trapped.delete(kernel)
  }
}

/** Makes an instance. Throws `WasmUnavailableError` where there is no memory for it. */
function withMemory(make: () => unknown): void {
  try {
    make()
  } catch (error) {
    throw isTrap(error) ? outOfMemory(error) : error
  }
}

/** What a trap is to callers: modules check what they are given, and trap where there is no memory for it. */
export function outOfMemory(trap: unknown): WasmUnavailableError {
  return new WasmUnavailableError('the module ran out of memory', { cause: trap })
}

/**
 * Whether an error came out of a WASM instance itself, so that its memory cannot be trusted any more, or out of an engine that has no memory for
 * one. Where others throw a `RangeError`, Firefox has text where there is no memory, and an `InternalError` where the stack is full.
 */
export function isTrap(error: unknown): boolean {
  return (
    error instanceof WebAssembly.RuntimeError ||
    error instanceof RangeError ||
    error === 'out of memory' ||
    (error as Error | undefined)?.name === 'InternalError'
  )
}
