/**
 * The prover's setup: an asset of its own in two halves, each of which is loaded when it is needed first. Whatever it comes
 * from, the module takes nothing but Ethereum's setup, which it knows by its SHA-256.
 */
import { platform } from '#platform'
import { encodeHex } from '../util/hex.ts'

/**
 * Thrown where the prover's setup could not be loaded, where what was loaded is not Ethereum's, and by proofs of cells of a prover that was
 * loaded for proofs of blobs alone. `cause` is the platform's own error, where there is one.
 */
export class SetupUnavailableError extends Error {
  override readonly name = 'SetupUnavailableError'
  constructor(detail: string, options?: ErrorOptions) {
    super(`the prover's setup is not to be had: ${detail}`, options)
  }
}

/** Where a half of the setup comes from, where it is not read from the package's own files: its address, or its bytes. */
export type SetupSource = URL | BufferSource

/** The caller's halves of the setup; the package's own file serves for one that is not given. Each must be Ethereum's, byte by byte. */
export interface SetupSources {
  /** What all proofs need: `prover-setup.bin`, 393,216 bytes. */
  readonly blobs?: SetupSource
  /** What proofs of cells need as well: `prover-setup-extension.bin`, 393,216 bytes. */
  readonly cells?: SetupSource
}

/** What proofs of cells need is the second half, besides the first. */
export type HalfCount = 1 | 2

/** In this form, with literals, bundlers find the files and copy them. */
const FILES: readonly (() => URL)[] = [
  () => new URL('../../wasm/prover-setup.bin', import.meta.url),
  () => new URL('../../wasm/prover-setup-extension.bin', import.meta.url),
]

/** The setup as one prover sees it: each half is read once, or again where that failed. */
export class Setup {
  readonly #sources: readonly (SetupSource | undefined)[]
  readonly #halves: (Promise<Uint8Array<ArrayBuffer>> | undefined)[] = []

  constructor({ blobs, cells }: SetupSources = {}) {
    this.#sources = [blobs, cells]
  }

  /** The first halves. Throws `SetupUnavailableError` where one cannot be had. */
  async halves(count: HalfCount): Promise<Uint8Array<ArrayBuffer>[]> {
    return await Promise.all(Array.from({ length: count }, (_, half) => this.#half(half)))
  }

  #half(half: number): Promise<Uint8Array<ArrayBuffer>> {
    const loading = (this.#halves[half] ??= load(half, this.#sources[half] ?? FILES[half]!()))
    loading.catch(() => void (this.#halves[half] = undefined))
    return loading
  }
}

async function load(half: number, source: SetupSource): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = source instanceof URL ? await fetchHalf(half, source) : copyOf(source)
  if (!(await isGenuine(half, bytes))) throw new SetupUnavailableError(`half ${half + 1} is not Ethereum's`)
  return bytes
}

/** What was there before is as good as what is there now, if it has the right hash. */
async function fetchHalf(half: number, url: URL): Promise<Uint8Array<ArrayBuffer>> {
  try {
    const known = await platform.readAsset(url, 'force-cache')
    return (await isGenuine(half, known)) ? known : await platform.readAsset(url, 'reload')
  } catch (cause) {
    throw new SetupUnavailableError(`${url.href} could not be read`, { cause })
  }
}

function copyOf(source: BufferSource): Uint8Array<ArrayBuffer> {
  return ArrayBuffer.isView(source)
    ? new Uint8Array(new Uint8Array(source.buffer, source.byteOffset, source.byteLength))
    : new Uint8Array(source.slice(0))
}

const HALF_BYTES = 393_216

/** SHA-256 of the halves, as `crates/prover/src/setup.rs` pins them. */
const HASHES = [
  '556809daa82fe71acb4b380c178406e8c505e80537decd7c207f7764ceba8862',
  'd120450456b69d42af9b63c119410173ec4b14d4e79ffcb65b89e44d2ec7e11f',
]

/**
 * Whether bytes are a half of Ethereum's setup, as far as can be said before a module has looked at them. True, too, where nothing can be hashed (insecure contexts): the module hashes again, and has the last word.
 */
async function isGenuine(half: number, bytes: Uint8Array<ArrayBuffer>): Promise<boolean> {
  if (bytes.length !== HALF_BYTES) return false
  const subtle = globalThis.crypto?.subtle as SubtleCrypto | undefined
  if (subtle === undefined) return true
  return encodeHex(new Uint8Array(await subtle.digest('SHA-256', bytes))) === HASHES[half]
}
