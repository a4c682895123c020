/**
 * Bare blobs (`/eth/v1/beacon/blobs`), of endpoints or archives: what each gives that is true is kept, and the next one is asked for what is
 * still missing.
 */
import type { Ask, Reply } from '../../beacon/endpoint.ts'
import type { BeaconEndpoints } from '../../beacon/endpoints.ts'
import { BeaconFailure, BeaconUnavailableError } from '../../beacon/failure.ts'
import type { BeaconAnswer } from '../../beacon/request.ts'
import { routes } from '../../beacon/routes.ts'
import { splitBlobs } from '../../block-data/bare-blobs.ts'
import type { Search } from '../search.ts'
import type { Share } from '../shares.ts'
import type { WantedBlob } from '../wanted.ts'
import { type BareBlob, placeBlobs } from './place-blobs.ts'

/** Asks them, one after the other, until nothing is missing. */
export async function takeBareBlobs(
  search: Search,
  endpoints: BeaconEndpoints,
  role: 'beacon' | 'archive',
): Promise<void> {
  const { call, target, until } = search
  const { name } = target
  if (name === null || search.missingOfBlock.length === 0) return
  const ask: Ask<void> = async (endpoint, inTurn, signal) => {
    const share = call.shares.of(role, endpoint.name)
    const request = async (some: readonly WantedBlob[] | null): Promise<Reply<void>> => {
      const hashes = some?.flatMap(({ versionedHash }) => versionedHash ?? [])
      const test = inTurn(async (answer) => {
        share.bytes += answer.body.length
        await testAnswer(search, answer, some, share, endpoint.name)
      })
      const route = routes.blobs(name, search.maxBlobs, hashes)
      return await call.shares.waiting.send(endpoint, route, test, signal, () => void share.requests++)
    }
    const missing = inBlockOrder(search)
    if (search.all !== null && missing.length >= distinct(search.all)) return await request(null)
    const reply = await request(missing)
    // Who does not know the question for some of them is asked for all.
    const isUnknown = 'failure' in reply && reply.failure.kind === 'refused'
    return isUnknown ? await request(null) : reply
  }
  try {
    await endpoints.firstBy(ask, until, (endpoint, failure) => {
      // What was false is told of each blob.
      if (failure.kind !== 'invalid') call.shares.of(role, endpoint.name).fail(failure)
      call.shares.ended(`${role} blobs`, endpoint.name, failure.kind)
    })
  } catch (error) {
    if (!(error instanceof BeaconUnavailableError)) throw error
  }
}

/** Keeps what is true in an answer; throws `BeaconFailure` unless nothing is missing any more. `asked`: what it was asked for, null for all. */
async function testAnswer(
  search: Search,
  answer: BeaconAnswer,
  asked: readonly WantedBlob[] | null,
  share: Share,
  source: string,
): Promise<void> {
  const blobs = await splitBlobs(answer, search.maxBlobs, search.call.parts.pool)
  const falseOnes = await takeFrom(search, blobs, asked, share, source)
  if (falseOnes > 0) throw new BeaconFailure('invalid', `${falseOnes} blobs are not of this block`)
  const missing = search.missingOfBlock
  if (missing.length > 0) throw new BeaconFailure('not-found', `${missing.length} blobs are still missing`)
}

const distinct = (blobs: readonly WantedBlob[]): number =>
  new Set(blobs.map(({ versionedHash }) => versionedHash)).size

/** Those that are missing, in the order in which an answer has them, as far as it is known. */
function inBlockOrder({ missingOfBlock }: Search): WantedBlob[] {
  return [...missingOfBlock].sort((a, b) => (a.index ?? Infinity) - (b.index ?? Infinity) || 0)
}

/** A blob in memory of its own: who gets several may transfer one, and keep one without all others of the answer. */
function alone(blob: BareBlob['bytes']): BareBlob['bytes'] {
  return blob.buffer.byteLength === blob.length ? blob : new Uint8Array(blob)
}

/** Keeps the blobs that are true: how many are false. */
async function takeFrom(
  search: Search,
  blobs: readonly BareBlob['bytes'][],
  asked: readonly WantedBlob[] | null,
  share: Share,
  source: string,
): Promise<number> {
  const { call, all, until } = search
  const missing = new Set(search.missing.map(({ versionedHash }) => versionedHash))
  // An answer of that length is all of them, or all that were asked for.
  const order =
    all !== null && blobs.length === all.length ? all : blobs.length === asked?.length ? asked : []
  const wanted = blobs
    .slice(0, search.maxBlobs)
    .map((bytes, at) => ({ at, bytes, guess: order[at] }))
    .filter(({ guess }) => guess === undefined || missing.has(guess.versionedHash))
  // Whoever does not know the question for some of them answers with all.
  const candidates = all ?? search.missing
  let falseOnes = 0
  for await (const [nth, one] of placeBlobs(call.parts.verifier, wanted, candidates, source, until)) {
    const { at, bytes } = wanted[nth]!
    if (one.blob !== null)
      search.take(
        { ...one.blob, blob: alone(bytes), via: 'blobs', links: { ...search.links, kzg: one.kzg } },
        [share],
      )
    // Of a block whose commitments are not known it may be any other blob.
    else if (all !== null) {
      falseOnes++
      share.refuse(`blob ${at} of its answer`, one.reason)
    }
    if (search.isOver) break
  }
  if (all !== null && blobs.length > all.length) {
    falseOnes++
    share.refuse('blobs', `${blobs.length} of a block with ${all.length}`)
  }
  if (falseOnes > 0) call.shares.liars.add(source)
  return falseOnes
}
