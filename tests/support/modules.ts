/** The package's WASM modules as bytes, to be changed: engines and tests alike know a module by what is in it. */
import type { KernelName, WasmSources } from 'blobcheck'
import { inBrowser } from './files.ts'

/** The module of `blobcheck/kzg`. */
export async function readKzgModule(kernel: KernelName): Promise<Uint8Array<ArrayBuffer>> {
  return await readAssetBytes(`blobcheck_${kernel.replace('-', '_')}.wasm`)
}

/** The module of the verifier. */
export async function readVerifierModule(kernel: KernelName): Promise<Uint8Array<ArrayBuffer>> {
  return await readAssetBytes(`verifier_${kernel.replace('-', '_')}.wasm`)
}

/** A file of `wasm/`. */
export async function readAssetBytes(name: string): Promise<Uint8Array<ArrayBuffer>> {
  const url = packageFile(`wasm/${name}`)
  if (inBrowser) return new Uint8Array(await (await fetch(url)).arrayBuffer())
  const { readFile } = await import('node:fs/promises')
  return new Uint8Array(await readFile(url))
}

/** Where a file of the package is, by its path in there. */
export const packageFile = (path: string): URL => new URL(`../../${path}`, here)

/** Not written in one expression with `new URL`: bundlers would take the module for an asset. */
const here: string = import.meta.url

let salts = 0

/**
 * The same module, new to the engine: with a custom section that no other has. Engines keep the code of modules that
 * they have seen, optimised as it is by then.
 */
export function unseen(module: Uint8Array): Uint8Array<ArrayBuffer> {
  const salt = new TextEncoder().encode(`${performance.now()} ${salts++}`)
  return Uint8Array.from([...module, 0, salt.length + 1, 0, ...salt])
}

/** Both modules of the verifier, new to the engine. */
export async function unseenModules(): Promise<WasmSources> {
  const [simd128, relaxed] = await Promise.all([
    readVerifierModule('simd128'),
    readVerifierModule('relaxed-simd'),
  ])
  return { simd128: unseen(simd128), 'relaxed-simd': unseen(relaxed) }
}

/** 64 powers of τ in G1, 48 bytes each, then [τ]₂ and [τ⁶⁴]₂, 96 bytes each: the setup, as it lies in a module. */
const SETUP_HEAD = [
  0x97, 0xf1, 0xd3, 0xa7, 0x31, 0x97, 0xd7, 0x94, 0x26, 0x95, 0x63, 0x8c, 0x4f, 0xa9, 0xac, 0x0f,
]

/**
 * A module that computes as it should and has the wrong setup, [τ]₂ and [τ⁶⁴]₂ exchanged: it refuses true proofs, as a
 * module would that an engine miscompiles. (Constant polynomials it accepts: their proofs don't depend on τ.)
 */
export function withWrongSetup(module: Uint8Array): Uint8Array<ArrayBuffer> {
  const wrong = new Uint8Array(module)
  const start = wrong.findIndex((_, at) => SETUP_HEAD.every((byte, i) => wrong[at + i] === byte))
  if (start < 0) throw new Error('the setup is not in the module as it used to be')
  const tau = start + 64 * 48
  const swapped = Uint8Array.from([...wrong.subarray(tau + 96, tau + 192), ...wrong.subarray(tau, tau + 96)])
  wrong.set(swapped, tau)
  return wrong
}

/** −1/p modulo 2⁴⁸ as a double: each kernel of the relaxed module reads it from the module's data. */
const INVERSE = [...new Uint8Array(Float64Array.of(-12_885_098_499).buffer)]

/** A relaxed module whose products modulo p are wrong, as they would be where an engine computes otherwise. */
export function withWrongProducts(module: Uint8Array): Uint8Array<ArrayBuffer> {
  const wrong = new Uint8Array(module)
  const start = wrong.findIndex((_, at) => INVERSE.every((byte, i) => wrong[at + i] === byte))
  if (start < 0) throw new Error('the constant is not in the module as it used to be')
  wrong[start + 3]! ^= 1
  return wrong
}

/** Where a module says how much memory it has: its section 5, with one memory of 17 pages of 64 KiB, and no maximum. */
const MEMORY = [5, 3, 1, 0, 17]

/** The same module, whose memory has no more than so many pages, as on a system that has none left: 17, and it can do nothing at all. */
export function withPages(module: Uint8Array, pages: number): Uint8Array<ArrayBuffer> {
  const at = module.findIndex((_, start) => MEMORY.every((byte, i) => module[start + i] === byte))
  if (at < 0) throw new Error('the memory is not in the module as it used to be')
  const memory = [5, 6, 1, 1, 17, (pages & 0x7f) | 0x80, ((pages >> 7) & 0x7f) | 0x80, pages >> 14]
  return Uint8Array.from([...module.subarray(0, at), ...memory, ...module.subarray(at + MEMORY.length)])
}
