/**
 * `blobcheck/kzg`: the specification's functions, synchronous, by c-kzg's names. They answer with booleans and bytes; malformed input
 * throws `KzgInputError`, wherever the official vectors say `null`, and for more than 64 cells of no single blob. Bytes are `Uint8Array` or `0x`
 * hex.
 */
export { loadKzg } from './kzg.ts'
export { KzgInputError, type KzgInputField } from './input-error.ts'
export { SetupUnavailableError } from './setup.ts'
export { WasmUnavailableError } from '../runtime/errors.ts'
export type { Kzg, KzgOptions } from './kzg.ts'
export type { SetupSource } from './setup-source.ts'
export type { Hashing } from '../runtime/platform/platform.ts'
export type { KernelName } from '../runtime/kernel/kernel.ts'
export type { WasmSource, WasmSources } from '../runtime/kernel/module.ts'
export type { Warning } from '../runtime/warning.ts'
export type { Bytes } from '../util/hex.ts'
export type { KzgInputCode } from '../verdict/reasons.ts'
