/**
 * Blobs that came without their commitments, each tied to the one that it is of. Who serves all that was asked for serves it in the block's
 * order, so that each blob is verified against the commitment at its place first, all in one batch. Where that does not fit (a part of them,
 * another order, a false one among them), a blob's own commitment says which one it is, or that it is none.
 */
import { BeaconFailure } from '../../beacon/failure.ts'
import type { ByteArray } from '../../util/platform-types.ts'
import { inCommon } from '../../verdict/links.ts'
import type { Links, Verdict } from '../../verdict/verdict.ts'
import type { BlobItem } from '../../verifier/options.ts'
import type { Verifier } from '../../verifier/verifier.ts'
import type { WantedBlob } from '../wanted.ts'

/** What a blob turned out to be: one of those that may be meant; or none of them, and why. */
export type Placed =
  | { readonly blob: WantedBlob; readonly kzg: Links['kzg'] }
  | { readonly blob: null; readonly reason: string }

/** A blob, and which one it should be; undefined where nothing says so. */
export interface BareBlob {
  readonly bytes: ByteArray
  readonly guess: WantedBlob | undefined
}

/**
 * One answer for each blob, in order. `candidates`: all that one of them may be, each with its hash. `source`: who gave them. Throws
 * `BeaconFailure` of the kind `crashed` where it could not be found out; rejects with the signal's reason, and with what the verifier throws.
 */
export async function placeBlobs(
  verifier: Verifier,
  blobs: readonly BareBlob[],
  candidates: readonly WantedBlob[],
  source: string,
  signal: AbortSignal,
): Promise<Placed[]> {
  const verify = async (items: readonly BlobItem[], hashes: readonly string[] | null): Promise<Verdict[]> => {
    if (items.length === 0) return []
    const anchor = hashes === null ? 'none' : { versionedHashes: hashes }
    const verdicts = await verifier.verifyBlobs(items, { anchor, signal })
    const failed = verdicts.find(({ status }) => status === 'error')
    if (failed?.status === 'error') throw new BeaconFailure('crashed', `not verified: ${failed.reason}`)
    return verdicts
  }

  const placed: (Placed | null)[] = blobs.map(() => null)
  const reasons: string[] = blobs.map(() => 'not of this block')
  const guessed = blobs.flatMap(({ bytes, guess }, at) =>
    guess === undefined ? [] : [{ at, guess, item: itemOf(bytes, guess, source) }],
  )
  const verdicts = await verify(
    guessed.map(({ item }) => item),
    null,
  )
  for (const [nth, { at, guess }] of guessed.entries()) {
    const verdict = verdicts[nth]
    if (verdict?.status === 'valid') placed[at] = { blob: guess, kzg: verdict.links.kzg }
    else if (verdict !== undefined && 'reason' in verdict) {
      reasons[at] = verdict.reason
      if (verdict.status === 'malformed') placed[at] = { blob: null, reason: verdict.reason }
    }
  }

  const hashes = hashesOf(candidates)
  const open = placed.flatMap((one, at) => (one === null ? [at] : []))
  const items = open.map((at) => ({ blob: blobs[at]?.bytes ?? new Uint8Array(0), source }))
  const among = hashes.length === 0 ? [] : await verify(items, listOf(hashes, items.length))
  for (const [nth, at] of open.entries()) {
    const [verdict, item] = [among[nth], items[nth]]
    if (verdict !== undefined && 'reason' in verdict && blobs[at]?.guess === undefined)
      reasons[at] = verdict.reason
    if (verdict?.status !== 'valid' || item === undefined) continue
    const restsOn = [verdict.links]
    const hash = await findAmong(hashes, async (some) => {
      const [one] = await verify([item], some)
      if (one?.status === 'valid') restsOn.push(one.links)
      return one?.status === 'valid'
    })
    const blob = candidates.find(({ versionedHash }) => versionedHash === hash)
    // That it is one of them may have been computed, while a cache alone says which half has it; what is none of a half is computed always.
    if (blob !== undefined) placed[at] = { blob, kzg: inCommon(restsOn).kzg }
  }
  return placed.map((one, at) => one ?? { blob: null, reason: reasons[at] ?? '' })
}

function itemOf(bytes: ByteArray, { commitment, versionedHash }: WantedBlob, source: string): BlobItem {
  return {
    ...{ blob: bytes, source },
    ...(commitment !== null ? { commitment } : versionedHash !== null && { versionedHash }),
  }
}

function hashesOf(candidates: readonly WantedBlob[]): string[] {
  return [
    ...new Set(candidates.flatMap(({ versionedHash }) => (versionedHash === null ? [] : [versionedHash]))),
  ]
}

/** The hashes as a list that is not as long as the call's, since a list of the same length names each item's own. */
function listOf(hashes: readonly string[], items: number): readonly string[] {
  return hashes.length === items && items > 1 ? [...hashes, ...hashes.slice(0, 1)] : hashes
}

/** Which of these it is, given that it is one of them. */
async function findAmong(
  hashes: readonly string[],
  isAmong: (some: readonly string[]) => Promise<boolean>,
): Promise<string | undefined> {
  let rest = hashes
  while (rest.length > 1) {
    const half = rest.slice(0, rest.length >> 1)
    rest = (await isAmong(half)) ? half : rest.slice(half.length)
  }
  return rest[0]
}
