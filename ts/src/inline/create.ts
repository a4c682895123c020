/** `createVerifier` for a single file: the module comes out of it, and so does the script of the workers. */
import type { WorkerThread } from '../runtime/platform/platform.ts'
import { scriptUrl, threadOf } from '../runtime/platform/web.ts'
import { reading } from '../util/options.ts'
import { MemoryCache } from '../verifier/cache/cache.ts'
import { createFrom, readOptions } from '../verifier/create.ts'
import type { VerifierOptions } from '../verifier/options.ts'
import type { Verifier } from '../verifier/verifier.ts'
import { verifierFiles } from '../verifier/worker/files.ts'
import { verifierModule, workerScript } from './contents.ts'

// This bundle has a copy of its own, and to import this entry is what helps elsewhere.
Object.assign(verifierFiles, { option: 'wasm' })

/**
 * Creates a verifier as `createVerifier` of `blobcheck` does, with the same options, and needs no other file for it: the module
 * `simd128` computes, and workers are started from a Blob URL, where the page's policy allows `worker-src blob:`. Elsewhere, and where there
 * are no workers, the calling thread computes. The options `wasm` and `workerUrl` are preferred over what is inside.
 *
 * Blobs without proofs, blocks as anchors and proposers' signatures need files that are not inside: `kzg`, `commitmentSetup`, `beacon` and
 * `lightClient` name them. In a content script of an extension the cache `auto` is memory: IndexedDB is the page's there. Rejects as
 * `createVerifier` of `blobcheck` does.
 *
 * @example
 * ```ts
 * import { createVerifier } from 'blobcheck/inline'
 *
 * const verifier = await createVerifier({ workers: 0 }) // in a service worker, or in a sandbox
 * const [verdict] = await verifier.verifyBlobs([{ blob, commitment, proof }])
 * console.log(verdict?.status)
 * await verifier.dispose()
 * ```
 */
export async function createVerifier(options: VerifierOptions = {}): Promise<Verifier> {
  const { wasm, cache, ...others } = reading(() => readOptions(options))
  const read = {
    ...others,
    cache: cache === 'auto' && IS_CONTENT_SCRIPT ? new MemoryCache() : cache,
    wasm: 'simd128' in wasm ? wasm : { ...wasm, simd128: decodeBase64(verifierModule) },
  }
  return await createFrom(read, read.workerUrl ? undefined : spawnOwn)
}

/**
 * Whether this is the content script of an extension. It has the origin of the page that it is put into, whose scripts could have it find
 * whatever they like in IndexedDB. Found out when the script is put there: once the extension is reloaded, its scripts go on in the page, and nothing tells
 * any more what they are.
 */
const IS_CONTENT_SCRIPT = isContentScript()

function isContentScript(): boolean {
  try {
    const { chrome, location } = globalThis as {
      readonly chrome?: { readonly runtime?: { readonly id?: string } }
      readonly location?: { readonly protocol?: string }
    }
    return chrome?.runtime?.id !== undefined && location?.protocol?.endsWith('extension:') === false
  } catch {
    // Globals that cannot be read are a page's: memory will do.
    return true
  }
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text)
  const bytes = new Uint8Array(binary.length)
  for (let at = 0; at < bytes.length; at++) bytes[at] = binary.charCodeAt(at)
  return bytes
}

/** Starts a worker from the script inside. Throws what the browser throws. */
function spawnOwn(): WorkerThread {
  // In pages without an origin, such as sandboxed frames and files, Chromium loads scripts from Blob URLs, but no modules.
  const type = globalThis.origin === 'null' ? 'classic' : 'module'
  return threadOf(new Worker(scriptUrl(workerScript), { type }))
}
