/** The caller's cache: looked up first, and given what was found elsewhere. It is not trusted, and what fails there fails no call. */
import { BeaconFailure } from '../../beacon/failure.ts'
import { messageOf } from '../../runtime/errors.ts'
import { genuineView, isBytes } from '../../util/bytes.ts'
import { within } from '../../util/timers.ts'
import type { BlobCache } from '../options.ts'
import type { Search } from '../search.ts'
import { placeBlobs } from './place-blobs.ts'

const NAME = 'cache'

/** How long the cache may take for one blob, in milliseconds: it is there to save time. */
const PATIENCE_MS = 2_000
/** What it has at the deadline, too, when there is something to keep. */
const LEAST_MS = 200
const late = (): Error => new Error(`no answer in ${PATIENCE_MS} ms`)

/** Takes what the cache has of the blobs that are missing. */
export async function takeCached(search: Search, cache: BlobCache): Promise<void> {
  const { call, until } = search
  const share = call.shares.of('cache', NAME)
  const looked = await Promise.all(
    search.missing.map(async (guess) => {
      const { versionedHash } = guess
      if (versionedHash === null) return []
      share.requests++
      const given = await asked(search, () => cache.get(versionedHash))
      if (given === null || given === undefined) return []
      if (!isBytes(given)) {
        share.fail({ kind: 'malformed', message: 'neither bytes nor null' })
        return []
      }
      // A copy: what is verified must not change afterwards.
      const bytes = new Uint8Array(genuineView(given))
      // What was transferred elsewhere is no entry any more.
      if (bytes.length === 0) return []
      share.bytes += bytes.length
      return [{ bytes, guess }]
    }),
  )
  const blobs = looked.flat()
  try {
    // Each was looked up by its hash, and is no other.
    for await (const [at, one] of placeBlobs(call.parts.verifier, blobs, [], NAME, until)) {
      const { bytes, guess } = blobs[at]!
      if (one.blob === null) share.refuse(`blob ${guess.versionedHash}`, one.reason)
      else
        search.take({ ...guess, blob: bytes, via: 'cache', links: { ...search.links, kzg: one.kzg } }, [
          share,
        ])
    }
  } catch (error) {
    if (!(error instanceof BeaconFailure)) throw error
    share.fail(error)
    const hashes = new Set(blobs.map(({ guess }) => guess.versionedHash))
    call.shares.unseen.push(({ versionedHash }) => hashes.has(versionedHash))
  }
}

/** Gives the cache what came from elsewhere. */
export async function keepInCache(search: Search, cache: BlobCache): Promise<void> {
  const found = search.wanted?.found ?? []
  const kept = new Map(
    found.flatMap(({ blob, via, versionedHash }) =>
      via === 'cache' || versionedHash === null ? [] : [[versionedHash, blob] as const],
    ),
  )
  // Copies: whoever called may transfer what it gets, and a cache in memory keeps what it is given.
  await Promise.all(
    Array.from(kept, ([hash, blob]) => asked(search, () => cache.put(hash, new Uint8Array(blob)))),
  )
}

/** What the cache answers; null where it throws, rejects or is silent, which its share tells. */
async function asked<T>(search: Search, ask: () => Promise<T>): Promise<T | null> {
  const { call } = search
  try {
    return await within(
      (async () => await ask())(),
      Math.max(LEAST_MS, Math.min(PATIENCE_MS, call.endsAt - performance.now())),
      late,
      call.signal,
    )
  } catch (error) {
    call.signal?.throwIfAborted()
    const message = messageOf(error)
    call.shares.of('cache', NAME).fail(new BeaconFailure('server-error', message))
    return null
  }
}
