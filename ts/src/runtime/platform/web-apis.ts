/** Interfaces of the web that Node has too, or may have. */
import { isResponse } from '../../util/response.ts'
import { shownUrl } from '../../util/url.ts'
import type { CompileOptions } from './platform.ts'

/** Reads a file by `fetch`. `force-cache`: one that the browser kept will do, however old. Throws where it is not to be had. */
export async function fetchAsset(
  url: URL,
  cache: 'force-cache' | 'reload',
  init?: CompileOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await (await fetchNamed(url, { ...init, cache })).arrayBuffer())
}

/** `fetch`, whose `TypeError` says that something failed, and not what was asked for. Throws for what is not to be had, too. */
export async function fetchNamed(url: URL, init?: RequestInit): Promise<Response> {
  const address = shownUrl(url)
  try {
    // No platform sends them, and each shows them in its own words.
    if (url.username + url.password !== '') throw new TypeError('no user or password can be sent')
    // A page's own, or a fake of a test's, may give anything.
    const response: unknown = await fetch(url, init)
    if (!isResponse(response)) throw new TypeError('what fetch resolved to is no Response')
    if (!response.ok) throw new Error(`${address} answered ${response.status}`)
    return response
  } catch (cause) {
    throw cause instanceof TypeError ? new TypeError(`${address}: ${cause.message}`, { cause }) : cause
  }
}

/** Compiles a module that was read from an address. Throws an error that names the address, and what came instead of a module. */
export async function compileBytes(bytes: Uint8Array, url: URL): Promise<WebAssembly.Module> {
  const beginning = beginningOf(bytes)
  if (!beginning.startsWith('\0asm'))
    throw new Error(`${shownUrl(url)} is no WebAssembly module: it begins with ${JSON.stringify(beginning)}`)
  return await WebAssembly.compile(bytes as BufferSource)
}

/** The first bytes as text: a server that has no such file often answers with its page. */
export function beginningOf(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes.subarray(0, 16))
}

/** Whether there is an IndexedDB. Reading the property alone throws in some sandboxed frames. */
export function hasIndexedDb(): boolean {
  try {
    return typeof indexedDB === 'object' && indexedDB !== null
  } catch {
    return false
  }
}

/** Whether the platform has a CSPRNG. Every supported one does; the alternative exists so that none is assumed. */
export function hasCsprng(): boolean {
  return typeof globalThis.crypto?.getRandomValues === 'function'
}
