/** What everyone did for a call, counted as it happens: the sources of a report, and what they tell of blobs that are missing. */
import { type BeaconFailure, isRefusal, isTransient, isUnreadable } from '../beacon/failure.ts'
import type { Tallies } from '../block-data/requests/tally.ts'
import type { SourceShare } from './result.ts'
import { Waiting } from './waiting.ts'
import type { WantedBlob } from './wanted.ts'

type Role = SourceShare['role']
type Failure = Pick<BeaconFailure, 'kind' | 'message'>

/** Entries of a list that are kept; the first of many say what there is to say. */
const MAX_LISTED = 32

/** A request for data that had no answer, and why. */
interface Unanswered {
  readonly source: string
  readonly kind: BeaconFailure['kind']
}

/** What one source did. */
export class Share {
  readonly #source: string
  readonly role: Role
  readonly #gave = new Set<number>()
  readonly #refused: SourceShare['refused'][number][] = []
  readonly #failures: SourceShare['failures'][number][] = []
  requests = 0
  bytes = 0

  constructor(source: string, role: Role) {
    this.#source = source
    this.role = role
  }

  give(place: number): void {
    this.#gave.add(place)
  }

  /** Nothing of what it gave is in the answer. */
  takeBack(): void {
    this.#gave.clear()
  }

  refuse(what: string, reason: string): void {
    if (this.#refused.length < MAX_LISTED) this.#refused.push({ what, reason })
  }

  fail({ kind, message }: Failure): void {
    if (this.#failures.length < MAX_LISTED) this.#failures.push({ kind, detail: message })
  }

  report(): SourceShare {
    return {
      source: this.#source,
      role: this.role,
      requests: this.requests,
      bytes: this.bytes,
      gave: [...this.#gave].sort((a, b) => a - b),
      refused: [...this.#refused],
      failures: [...this.#failures],
    }
  }
}

/** The shares of all sources, and what is known of blobs that nobody gave. */
export class Shares {
  readonly #shares = new Map<string, Share>()
  /** Who gave no answer, for which form of the data. */
  readonly #silent = new Map<string, Unanswered>()
  /** Whose answers could not be read. */
  readonly #unread = new Set<string>()
  /** Why each source that was asked for data gave no answer; null once it gave one. A source that refuses every request counts as one that did not answer. */
  readonly #asked = new Map<string, Unanswered | null>()
  /** Names of those who gave something for a blob that was refused. The caller's cache is none of them: what is spoilt there is as good as not there. */
  readonly liars: Set<string> = new Set()
  /** Whether our own workers could not say what something was. */
  hasCrashed = false
  /** What they could not look at, of files and of the cache: each says whether it may have been a blob. */
  readonly unseen: ((blob: WantedBlob) => boolean)[] = []
  readonly waiting: Waiting

  /** `until` is aborted when the call ends. */
  constructor(until: AbortSignal) {
    this.waiting = new Waiting(until)
  }

  of(role: Role, source: string): Share {
    const key = `${role} ${source}`
    const share = this.#shares.get(key) ?? new Share(source, role)
    this.#shares.set(key, share)
    return share
  }

  /** For a thing that beacon endpoints are asked for, such as a block: who gives another one is named for it. */
  forThing(what: string): Tallies {
    return {
      send: this.waiting.send,
      of: (name) => {
        const share = this.of('beacon', name)
        return {
          get requests() {
            return share.requests
          },
          set requests(count) {
            share.requests = count
          },
          get bytes() {
            return share.bytes
          },
          set bytes(count) {
            share.bytes = count
          },
          fail: (failure) => {
            if (failure.kind === 'invalid') share.refuse(what, failure.message)
            else share.fail(failure)
          },
        }
      },
    }
  }

  /** A request for data ended so. What is not there is an answer; who gave none, or one that cannot be read, may have what is missing. */
  ended(form: string, source: string, kind: BeaconFailure['kind'] | null): void {
    const key = `${form} ${source}`
    if (kind !== null && isUnreadable(kind)) this.#unread.add(source)
    const isSilent = kind !== null && (isUnreadable(kind) || isTransient(kind))
    if (isSilent) this.#silent.set(key, { source, kind })
    else this.#silent.delete(key)
    if (kind === null || !(isSilent || isRefusal(kind))) this.#asked.set(source, null)
    else if (this.#asked.get(source) !== null) this.#asked.set(source, { source, kind })
    if (kind === 'crashed') this.hasCrashed = true
  }

  /** The block that was looked for is not the one that is meant: what is told of its blobs says nothing of those of another. */
  beginAgain(): void {
    for (const share of this.#shares.values()) share.takeBack()
    for (const told of [this.#silent, this.#unread, this.#asked, this.liars]) told.clear()
    this.hasCrashed = false
    this.unseen.length = 0
  }

  /** Names of those of whom an answer could not be read. */
  get unread(): readonly string[] {
    return [...this.#unread]
  }

  /** Names of those who may have what is missing, since they gave no answer to all requests, or to those of one form; and why. */
  get unanswered(): ReadonlyMap<string, BeaconFailure['kind']> {
    const all = [...this.#asked.values(), ...this.#silent.values()]
    return new Map(all.flatMap((one) => (one === null ? [] : [[one.source, one.kind]])))
  }

  /** In the order in which they were first asked; those of the options come first, which were there from the beginning. */
  report(): SourceShare[] {
    return Array.from(this.#shares.values(), (share) => share.report())
  }
}
