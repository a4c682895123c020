/**
 * The points that commitments are computed with: an asset of its own, which is loaded when it is needed first. Wherever it comes from, the
 * modules take nothing but Ethereum's setup, which they know by its SHA-256.
 */
import { platform } from '#platform'
import { messageOf } from '../runtime/errors.ts'
import { beginningOf } from '../runtime/platform/web-apis.ts'
import { encodeHex } from '../util/hex.ts'
import { Once } from '../util/once.ts'
import { shownUrl } from '../util/url.ts'
import type { ReadSetupSource } from './setup-source.ts'

/**
 * Thrown where a setup could not be loaded, where what was loaded is not Ethereum's, and by functions that need a setup that their
 * maker was not asked to load. `cause` is the platform's own error, where there is one.
 *
 * @example
 * ```ts
 * import { loadKzg, SetupUnavailableError } from 'blobcheck/kzg'
 *
 * const kzg = await loadKzg() // without commitmentSetup
 * try {
 *   kzg.verifyBlobCommitments(blobs, commitments)
 * } catch (error) {
 *   console.log(error instanceof SetupUnavailableError) // true
 * }
 * ```
 */
export class SetupUnavailableError extends Error {
  override readonly name = 'SetupUnavailableError'
  constructor(detail: string, options?: ErrorOptions) {
    super(`the prover's setup is not to be had: ${detail}`, options)
  }
}

/** Bytes of each half. */
const HALF_BYTES = 262_176

/**
 * A half of the setup: where it lies in the package, and what it must be.
 *
 * @internal
 */
export interface SetupFile {
  readonly name: string
  /** In this form, a method with a literal, bundlers find the file and copy it, and so do those who trace the files of a server. */
  readonly url: () => URL
  /** Its SHA-256, as the Rust crates pin it, in hex. */
  readonly hash: string
}

/**
 * What commitments, and proofs of blobs, need.
 *
 * @internal
 */
export const commitmentSetupFile: SetupFile = {
  name: 'prover-setup.bin',
  url() {
    return new URL('../../wasm/prover-setup.bin', import.meta.url)
  },
  hash: '4fc338310c087a0d4de0b68c30fba75ef5a25f5a6bb9d429668b4602bf276b99',
}

/**
 * The half that commitments need, for those who take it by the option `commitmentSetup`, which messages name then.
 *
 * @internal
 */
export function commitmentSetupOf(source: ReadSetupSource | undefined): SetupHalf {
  return new SetupHalf(commitmentSetupFile, source, 'commitmentSetup')
}

/**
 * A half of the setup as one user sees it: read once, or again where that failed.
 *
 * @internal
 */
export class SetupHalf {
  readonly #file: SetupFile
  readonly #source: URL | Uint8Array<ArrayBuffer> | undefined
  readonly #option: string | undefined
  readonly #bytes = new Once(() => platform.lasting(() => this.#load()))

  /** `option`: by which callers say where theirs is, where messages are to name it. */
  constructor(file: SetupFile, source: ReadSetupSource | undefined, option?: string) {
    this.#file = file
    this.#option = option
    // A copy, in memory of its own.
    this.#source = source as URL | Uint8Array<ArrayBuffer> | undefined
  }

  /** The bytes, of the right length and hash. Throws `SetupUnavailableError`. */
  load(): Promise<Uint8Array<ArrayBuffer>> {
    return this.#bytes.get()
  }

  async #load(): Promise<Uint8Array<ArrayBuffer>> {
    const source = this.#source ?? this.#own()
    const bytes = source instanceof URL ? await this.#fetch(source) : source
    if (await this.#isGenuine(bytes)) return bytes
    const what = source instanceof URL ? shownUrl(source) : `what was given as ${this.#file.name}`
    throw new SetupUnavailableError(
      `${what} is not Ethereum's: it has ${bytes.length} bytes and begins with ${JSON.stringify(beginningOf(bytes))}${this.#remedy()}`,
    )
  }

  /** Where the package's file is: nowhere, where a bundler made one script of all, or the script has no place of its own (`data:`). */
  #own(): URL {
    try {
      return this.#file.url()
    } catch (cause) {
      throw new SetupUnavailableError(
        `nothing lies beside this script: ${messageOf(cause)}${this.#remedy()}`,
        { cause },
      )
    }
  }

  /** What was there before is as good as what is there now, if it has the right hash. */
  async #fetch(url: URL): Promise<Uint8Array<ArrayBuffer>> {
    try {
      const known = await platform.readAsset(url, 'force-cache')
      return (await this.#isGenuine(known)) ? known : await platform.readAsset(url, 'reload')
    } catch (cause) {
      throw new SetupUnavailableError(
        `${shownUrl(url)} could not be read: ${messageOf(cause)}${this.#remedy()}`,
        { cause },
      )
    }
  }

  #remedy(): string {
    return this.#option === undefined ? '' : `. Say where it is with the option ${this.#option}`
  }

  /**
   * Whether bytes are this half of Ethereum's setup, as far as can be said before a module has looked at them. True, too, where nothing
   * can be hashed (insecure contexts): the module hashes again, and has the last word.
   */
  async #isGenuine(bytes: Uint8Array<ArrayBuffer>): Promise<boolean> {
    if (bytes.length !== HALF_BYTES) return false
    const subtle = globalThis.crypto?.subtle as SubtleCrypto | undefined
    if (subtle === undefined) return true
    return encodeHex(new Uint8Array(await subtle.digest('SHA-256', bytes))) === this.#file.hash
  }
}
