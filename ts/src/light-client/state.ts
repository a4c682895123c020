/** Where a light client is: the store, and the headers in it that it vouches for. */
import type { TrustedHeader, VouchedHeaders } from './trusted-header.ts'
import type { Stepped } from './worker/protocol.ts'
import type { HeaderView, StoreView } from './worker/views.ts'

export class ChainState {
  readonly #vouched: VouchedHeaders
  readonly #checkpoint: string
  /** Whether the store was taken from a cache on trust, so that nothing leads to the checkpoint. */
  readonly #onTrust: boolean
  #store: Uint8Array
  #view: StoreView
  #finalized: TrustedHeader
  #optimistic: TrustedHeader

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
    this.#optimistic = this.#vouch(view.optimistic, this.#finalized.slot >= view.optimistic.slot, !onTrust)
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

  /** Takes over what a step led to. A header that stays the same stays the same object. */
  adopt({ store, view }: Stepped): void {
    if (store === null || view === null) return
    this.#store = store
    this.#view = view
    const { finalized, optimistic } = view
    if (isAnother(finalized, this.#finalized)) this.#finalized = this.#vouch(finalized, true, true)
    const final = finalized.slot >= optimistic.slot
    if (isAnother(optimistic, this.#optimistic) || final !== this.#optimistic.finalized)
      this.#optimistic = this.#vouch(optimistic, final, true)
  }

  #vouch(view: HeaderView, finalized: boolean, fresh: boolean): TrustedHeader {
    const known = this.#onTrust ? 'trusted' : 'verified'
    const header = this.#vouched.vouch(view, finalized, {
      header: known,
      'sync-committee': fresh ? 'verified' : 'trusted',
      checkpoint: known,
    })
    if (header.root !== this.#checkpoint) return header
    // The checkpoint itself: no committee signed it before our eyes, and none needed to.
    return this.#vouched.vouch(view, true, {
      header: 'verified',
      'sync-committee': 'absent',
      checkpoint: 'verified',
    })
  }
}

function isAnother({ root }: HeaderView, header: TrustedHeader): boolean {
  return root.some((byte, at) => byte !== Number.parseInt(header.root.slice(2 + 2 * at, 4 + 2 * at), 16))
}
