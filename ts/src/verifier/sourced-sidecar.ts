/** Sidecars with the name of who delivered them. */
import type { Bytes } from '../util/hex.ts'
import type { JsonObject } from '../util/json-object.ts'

/**
 * A sidecar with the name of who delivered it, in the caller's words; made by `fromSource`. A class with private fields, so that nothing
 * that was parsed can be taken for it.
 */
export class SourcedSidecar {
  readonly #sidecar: unknown
  readonly #source: string

  constructor(sidecar: unknown, source: string) {
    this.#sidecar = sidecar
    this.#source = source
  }

  /** What is inside, where the value was made by `fromSource`; undefined where it is anything else. */
  static open(value: unknown): readonly [content: unknown, source: string] | undefined {
    return typeof value === 'object' && value !== null && #source in value
      ? [value.#sidecar, value.#source]
      : undefined
  }
}

/**
 * Says who delivered a sidecar, for `verifyBlobSidecars` and `verifyDataColumnSidecars`: the name comes back in `sources` of a verdict on
 * a bad one. `sidecar` is SSZ (bytes or 0x hex) or Beacon API JSON. Throws `TypeError` where `source` is no string.
 *
 * A record `{ sidecar, source }` is no such value: it might have come from an endpoint that wants somebody else to be blamed.
 *
 * @example
 * ```ts
 * import { createVerifier, fromSource } from 'blobcheck'
 *
 * await using verifier = await createVerifier()
 * const [verdict] = await verifier.verifyBlobSidecars([fromSource('0x00', 'peer 7')])
 * console.log(verdict) // malformed, with sources: ['peer 7']
 * ```
 */
export function fromSource(sidecar: Bytes | JsonObject, source: string): SourcedSidecar {
  if (typeof source !== 'string') throw new TypeError('source must be a string')
  return new SourcedSidecar(sidecar, source)
}
