/** Where a light client is: the store, and the headers in it that it vouches for. */
import type { TrustedHeader, VouchedHeaders } from './trusted-header.ts'
import type { Stepped } from './worker/protocol.ts'
import type { HeaderView, StoreView } from './worker/views.ts'

export class ChainState {
  readonly #vouched: VouchedHeaders
  readonly #checkpoint: string
  /** Whether nothing leads to the checkpoint: the store was taken from a cache on trust, or an update was forced. */
  #onTrust: boolean
  #forcedUpdates = 0
  #store: Uint8Array
  #view: StoreView
  #finalized: TrustedHeader
  #optimistic: TrustedHeader
  #first: TrustedHeader

  /** `checkpoint`: 0x hex. */
  constructor(
    vouched: VouchedHeaders,
    checkpoint: string,
    store: Uint8Array,
    view: StoreView,
    onTrust: boolean,
  ) {
    this.#vouched = vouched
    this.#checkpoint = checkpoint
    this.#onTrust = onTrust
    this.#store = store
    this.#view = view
    this.#finalized = this.#vouch(view.finalized, true, !onTrust)
    this.#optimistic = isFinal(view) ? this.#finalized : this.#vouch(view.optimistic, false, !onTrust)
    this.#first = this.#finalized
  }

  get store(): Uint8Array {
    return this.#store
  }

  get view(): StoreView {
    return this.#view
  }

  get finalized(): TrustedHeader {
    return this.#finalized
  }

  get optimistic(): TrustedHeader {
    return this.#optimistic
  }

  /** The final header that it began with: the checkpoint's, or that of a cache that was taken on trust. */
  get first(): TrustedHeader {
    return this.#first
  }

  /** How many forced updates led here. */
  get forcedUpdates(): number {
    return this.#forcedUpdates
  }

  /**
   * Takes over what a step led to, all of it signed by two thirds of a committee. A header that stays the same stays the
   * same object; a store that is older than ours, as a step gives that began before another one ended, is left.
   */
  adopt({ store, view }: Stepped): void {
    const before = this.#view
    if (store === null || view === null || view.finalized.slot < before.finalized.slot) return
    this.#store = store
    this.#view = view
    if (isAnother(view.finalized, before.finalized)) this.#finalized = this.#vouch(view.finalized, true, true)
    if (isFinal(view)) this.#optimistic = this.#finalized
    else if (isAnother(view.optimistic, before.optimistic))
      this.#optimistic = this.#vouch(view.optimistic, false, true)
  }

  /** Forgets all that it stood on, and stands where another one stands, which is no more used. Headers that were handed out stay what they were. */
  beginAnew(verified: ChainState): void {
    this.#vouched.disown()
    this.#onTrust = verified.#onTrust
    this.#forcedUpdates = verified.#forcedUpdates
    this.#store = verified.#store
    this.#view = verified.#view
    this.#finalized = this.#vouched.own(verified.#finalized)
    this.#optimistic = this.#vouched.own(verified.#optimistic)
    this.#first = this.#vouched.own(verified.#first)
  }

  /**
   * Takes over what a forced update led to. A simple majority may have chosen the next committee, so that from here on
   * nothing leads to the checkpoint; and the newest header of the store may be theirs, so that ours stays.
   */
  adoptForced({ store, view }: Stepped): void {
    if (store === null || view === null || view.finalized.slot < this.#view.finalized.slot) return
    this.#onTrust = true
    this.#forcedUpdates++
    this.#store = store
    this.#view = view
    this.#finalized = this.#vouch(view.finalized, false, false)
    if (this.#optimistic.slot <= this.#finalized.slot) this.#optimistic = this.#finalized
  }

  #vouch(view: HeaderView, finalized: boolean, fresh: boolean): TrustedHeader {
    const known = this.#onTrust ? 'trusted' : 'verified'
    const header = this.#vouched.vouch(view, finalized, {
      header: known,
      'sync-committee': fresh ? 'verified' : 'trusted',
      checkpoint: known,
    })
    // A root covers the beacon header alone: the execution header beside it is on trust as all else is.
    if (this.#onTrust || header.root !== this.#checkpoint) return header
    // The checkpoint itself: no committee signed it before our eyes, and none needed to.
    return this.#vouched.vouch(view, true, {
      header: 'verified',
      'sync-committee': 'absent',
      checkpoint: 'verified',
    })
  }
}

/** Whether nothing is known that is newer than what is final. */
function isFinal({ finalized, optimistic }: StoreView): boolean {
  return finalized.slot >= optimistic.slot
}

function isAnother(a: HeaderView, b: HeaderView): boolean {
  return a.root.some((byte, at) => byte !== b.root[at])
}
