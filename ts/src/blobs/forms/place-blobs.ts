/**
 * Blobs that came without their commitments, each tied to the one that it is of. Who serves all that was asked for serves it in the block's
 * order, so that each blob is verified against the commitment at its place first, all in one batch. Where that does not fit (a part of them,
 * another order, a false one among them), a blob's own commitment says which one it is. It takes as long as a whole batch, so that it is
 * computed for as few as will do: what lies between two that are as far apart as in the block has its place by theirs.
 */
import { BeaconFailure } from '../../beacon/failure.ts'
import type { ByteArray } from '../../util/platform-types.ts'
import type { Links, Verdict } from '../../verdict/verdict.ts'
import type { BlobItem, VerifyOptions } from '../../verifier/options.ts'
import { internalsOf } from '../../verifier/pipeline.ts'
import type { Verifier } from '../../verifier/verifier.ts'
import { hashOfCommitment, type WantedBlob } from '../wanted.ts'
import { ownCommitment } from './own-commitment.ts'

/** What a blob turned out to be: one of those that may be meant; or none of them, and why. */
export type Placed =
  | { readonly blob: WantedBlob; readonly kzg: Links['kzg'] }
  | { readonly blob: null; readonly reason: string }

/** A blob, and which one it should be; undefined where nothing says so. */
export interface BareBlob {
  readonly bytes: ByteArray
  readonly guess: WantedBlob | undefined
}

/** What is said of blobs as it is found out: the number of each among them, and what it is. */
type Answers = AsyncGenerator<readonly [at: number, placed: Placed], void, void>

/**
 * An answer for each blob, as soon as there is one. `candidates`: all that one of them may be, each with its hash, in the block's order.
 * `source`: who gave them. Throws `BeaconFailure` of the kind `crashed` where it could not be found out; rejects with the signal's reason, and
 * with what the verifier throws.
 */
export function placeBlobs(
  verifier: Verifier,
  blobs: readonly BareBlob[],
  candidates: readonly WantedBlob[],
  source: string,
  signal: AbortSignal,
): Answers {
  return new Placing(verifier, blobs, candidates, source, signal).answers()
}

/** How many blobs that take as long as a batch each are looked at before anything is said of them. */
const AT_ONCE = 8

/** Which one a blob may be, and the commitment to hold it against; where that is null, its hash. */
interface Guess {
  readonly blob: WantedBlob
  readonly commitment: string | null
}

class Placing {
  readonly #verifier: Verifier
  readonly #blobs: readonly BareBlob[]
  readonly #candidates: readonly WantedBlob[]
  readonly #source: string
  readonly #signal: AbortSignal
  /** The candidates' hashes, each once, in their order. */
  readonly #hashes: readonly string[]
  /** The blobs of which nothing was said yet. */
  readonly #open: Set<number>
  /** Which of the hashes a blob has, where that was computed or verified; −1: none of them. */
  readonly #ranks = new Map<number, number>()
  /** Which of the hashes a blob was held against, and does not have. */
  readonly #refused = new Set<string>()
  readonly #reasons = new Map<number, string>()
  /** What is to be verified next. */
  readonly #guesses = new Map<number, Guess>()

  constructor(...[verifier, blobs, candidates, source, signal]: Parameters<typeof placeBlobs>) {
    this.#verifier = verifier
    this.#blobs = blobs
    this.#candidates = candidates
    this.#source = source
    this.#signal = signal
    this.#hashes = [...new Set(candidates.flatMap(({ versionedHash }) => versionedHash ?? []))]
    this.#open = new Set(blobs.keys())
  }

  async *answers(): Answers {
    const guesses = this.#blobs.flatMap(({ guess }, at): [number, Guess][] =>
      guess === undefined ? [] : [[at, { blob: guess, commitment: guess.commitment }]],
    )
    yield* this.#judge(new Map(guesses), true)
    if (this.#open.size > 0 && this.#hashes.length > 0) {
      // Commitments are computed of what is a blob at all.
      for (const [at, verdict] of await this.#verifyAmong({ mode: 'cheap' }))
        if (verdict.status === 'malformed') yield this.#none(at, verdict.reason)
      yield* this.#byOwnCommitments()
      yield* this.#byVerdicts()
    }
    for (const at of this.#open) yield this.#none(at)
  }

  /** Says of blobs whether they are what they may be. `isGiven`: whether who asked about them thinks so, and is told why not. */
  async *#judge(guesses: ReadonlyMap<number, Guess>, isGiven = false): Answers {
    const all = [...guesses]
    const isSlow = all.some(([, { commitment }]) => commitment === null)
    const atOnce = isSlow ? AT_ONCE : all.length
    for (let from = 0; from < all.length; from += atOnce) {
      const some = all.slice(from, from + atOnce)
      const verdicts = await this.#verify(
        some.map(([at, { blob, commitment }]) => ({
          ...this.#itemOf(at),
          ...(commitment !== null && { commitment }),
          ...(blob.versionedHash !== null && { versionedHash: blob.versionedHash }),
        })),
      )
      for (const [nth, [at, { blob }]] of some.entries()) {
        const verdict = verdicts[nth]
        const rank = this.#hashes.indexOf(blob.versionedHash ?? '')
        if (verdict?.status === 'valid') {
          this.#ranks.set(at, rank)
          yield this.#say(at, { blob, kzg: verdict.links.kzg })
        } else if (verdict !== undefined) {
          this.#refused.add(`${at} ${rank}`)
          if (isGiven) this.#reasons.set(at, verdict.reason)
          if (verdict.status === 'malformed') yield this.#none(at, verdict.reason)
        }
      }
    }
  }

  /** Says which blobs are among the candidates, by the commitments of a few. */
  async *#byOwnCommitments(): Answers {
    let computed = 0
    for (let asked = this.#next(); asked.length > 0 || this.#guesses.size > 0; asked = this.#next()) {
      if (asked.length === 0 || computed >= AT_ONCE) {
        const guesses = new Map(this.#guesses)
        this.#guesses.clear()
        yield* this.#judge(guesses)
        computed = 0
        continue
      }
      const own = await Promise.all(asked.map((at) => this.#guessByOwn(at)))
      // Where they cannot be computed, verdicts tell why.
      if (own.includes(undefined)) return
      for (const [nth, at] of asked.entries()) {
        const guess = own[nth]
        if (guess) this.#guesses.set(at, guess)
      }
      this.#guessBetween()
      computed += asked.length
    }
  }

  /** What is none of the candidates is so by a verdict, as all that somebody is named for; or by the kernel that has the last word on verdicts. */
  async *#byVerdicts(): Answers {
    if (!internalsOf(this.#verifier).kernel.needsConfirmation)
      for (const [at, rank] of this.#ranks)
        if (rank < 0 && this.#open.has(at)) yield this.#none(at, 'commitment-mismatch')
    for (const [at, verdict] of await this.#verifyAmong()) {
      if (verdict.status !== 'valid') {
        yield this.#none(at, verdict.reason)
        continue
      }
      // A kernel that was wrong about its commitment has been replaced by now.
      const guess = await this.#guessByOwn(at)
      if (guess) yield* this.#judge(new Map([[at, guess]]))
      // The verdict that it is one of them is a cache's, and its commitment is none of theirs: nobody is accused for that.
      else if (verdict.links.kzg === 'trusted') this.#open.delete(at)
      if (this.#open.has(at)) throw new BeaconFailure('crashed', 'not verified: which blob it is')
    }
  }

  /**
   * The blobs whose commitments are computed next: the first and the last of the answer, which say how much of the block is between them; and the middle
   * one of each stretch of which nothing is known, which says in which half of it a blob is left out.
   */
  #next(): number[] {
    const next = new Set<number>()
    for (let from = 0; from < this.#blobs.length; from++) {
      if (!this.#isUnknown(from)) continue
      const first = from
      while (this.#isUnknown(from + 1)) from++
      if (first === 0) next.add(first)
      if (from === this.#blobs.length - 1) next.add(from)
      else if (first > 0) next.add((first + from) >> 1)
    }
    return [...next].slice(0, AT_ONCE)
  }

  #isUnknown(at: number): boolean {
    return this.#open.has(at) && !this.#ranks.has(at) && !this.#guesses.has(at)
  }

  /** What blobs may be that have their places by others, unless it was found that they are not. */
  #guessBetween(): void {
    const known = [...this.#ranks].filter(([, rank]) => rank >= 0).sort(([a], [b]) => a - b)
    for (const [nth, [end, endRank]] of known.entries()) {
      const [begin, beginRank] = known[nth - 1] ?? [end, endRank]
      if (end - begin !== endRank - beginRank) continue
      for (let at = begin + 1, rank = beginRank + 1; at < end; at++, rank++) {
        const blob = this.#candidateOf(rank)
        if (blob && this.#isUnknown(at) && !this.#refused.has(`${at} ${rank}`))
          this.#guesses.set(at, { blob, commitment: blob.commitment })
      }
    }
  }

  /** Which one a blob is by its own commitment; null for none of the candidates, undefined where it could not be computed. */
  async #guessByOwn(at: number): Promise<Guess | null | undefined> {
    const commitment = await ownCommitment(this.#verifier, this.#itemOf(at).blob, this.#signal)
    if (commitment === null) return undefined
    const rank = this.#hashes.indexOf(hashOfCommitment(commitment))
    this.#ranks.set(at, rank)
    const blob = this.#candidateOf(rank)
    return blob ? { blob, commitment } : null
  }

  #candidateOf(rank: number): WantedBlob | undefined {
    const hash = this.#hashes[rank]
    return this.#candidates.find(({ versionedHash }) => versionedHash === hash && hash !== undefined)
  }

  /** Whether each of which nothing was said yet is one of the candidates. */
  async #verifyAmong(options: VerifyOptions = {}): Promise<(readonly [number, Verdict])[]> {
    const asked = [...this.#open]
    const hashes = this.#hashes
    // A list of the call's length would name each item's own.
    const versionedHashes = hashes.length === asked.length ? [...hashes, ...hashes] : hashes
    const items = asked.map((at) => this.#itemOf(at))
    const verdicts = await this.#verify(items, { ...options, anchor: { versionedHashes } })
    return verdicts.map((verdict, nth) => [asked[nth]!, verdict] as const)
  }

  async #verify(items: readonly BlobItem[], options: VerifyOptions = {}): Promise<Verdict[]> {
    if (items.length === 0) return []
    const verdicts = await this.#verifier.verifyBlobs(items, { ...options, signal: this.#signal })
    const failed = verdicts.find(({ status }) => status === 'error')
    if (failed?.status === 'error') throw new BeaconFailure('crashed', `not verified: ${failed.reason}`)
    return verdicts
  }

  #itemOf(at: number): { readonly blob: ByteArray; readonly source: string } {
    return { blob: this.#blobs[at]!.bytes, source: this.#source }
  }

  #none(at: number, reason = 'not of this block'): readonly [number, Placed] {
    return this.#say(at, { blob: null, reason: this.#reasons.get(at) ?? reason })
  }

  #say(at: number, placed: Placed): readonly [number, Placed] {
    this.#open.delete(at)
    return [at, placed]
  }
}
