/** What passes between the calling thread and the light client's worker. Types alone: everything here can be cloned. */
import type { WorkerBase } from '../../runtime/pool/protocol.ts'
import type { FailureKind } from '../../beacon/failure.ts'
import type { BeaconAnswer } from '../../beacon/request.ts'
import type { LightClientObject } from './decode.ts'
import type { StoreView, UpdateView } from './views.ts'

/** Objects as an endpoint sent them, or as they were accepted before. */
export type Source = { readonly answer: BeaconAnswer } | { readonly objects: readonly LightClientObject[] }

/** Two thirds, or more than half. */
export type Quorum = 'two-thirds' | 'majority'

/** One step of the protocol. */
export type Step =
  | { readonly kind: 'bootstrap'; readonly root: Uint8Array; readonly source: Source }
  | {
      readonly kind: 'updates'
      readonly store: Uint8Array
      readonly source: Source
      readonly maxCount: number
      /** How many of the committee must have signed what is followed; a simple majority only to look for forced updates. */
      readonly quorum: Quorum
    }
  | {
      readonly kind: 'finality-update' | 'optimistic-update'
      readonly store: Uint8Array
      readonly source: Source
    }
  | { readonly kind: 'force'; readonly store: Uint8Array }
  /** Only looks. */
  | { readonly kind: 'view'; readonly store: Uint8Array }

/** Why a step was not taken, or not to its end. */
export interface StepFailure {
  readonly kind: FailureKind
  /** A `LightClientReason`, or in words what could not be decoded. */
  readonly detail: string
}

/** What a step led to. */
export interface Stepped {
  /** After all that was accepted; null where there is no store (a bootstrap that was refused). */
  readonly store: Uint8Array<ArrayBuffer> | null
  readonly view: StoreView | null
  /** What was accepted. */
  readonly accepted: readonly LightClientObject[]
  /**
   * Of accepted updates, those that led to a committee that was not known: they alone lead there again, one for each period, and
   * are to be kept. An endpoint may send many more that are true.
   */
  readonly leading: readonly LightClientObject[]
  /** What a finality or optimistic update says, accepted or not. */
  readonly update: UpdateView | null
  readonly failure: StepFailure | null
}

/** Where and when steps are taken. */
export interface StepOptions {
  /** See `lightClientWords`. */
  readonly network: BigUint64Array
  readonly currentSlot: number
  /** The module to use in place of the worker's own: no endpoint is accused by the fast kernel alone. */
  readonly baseline: WebAssembly.Module | null
}

/** What a light client's worker does. It keeps no state between calls but its WASM instances. */
export interface LightClientApi extends WorkerBase {
  step(step: Step, terms: StepOptions): Stepped
  /**
   * The roots, 32 bytes each, of headers that an endpoint sent or a caller gave, each the parent of the one before it and
   * the first that of `trusted` (112 bytes); or why they are not.
   */
  ancestors(trusted: Uint8Array, headers: readonly Uint8Array[]): Uint8Array[] | StepFailure
  /**
   * `verify_block_header_signature` for each SignedBeaconBlockHeader of 208 bytes; null where `pubkey` is no public key
   * (`bls.KeyValidate`). By the baseline module, whose word is final.
   */
  proposer(
    network: BigUint64Array,
    pubkey: Uint8Array,
    signedHeaders: readonly Uint8Array[],
  ): boolean[] | null
  /** The 112 bytes of the header in an answer to `/eth/v1/beacon/headers/{id}`. */
  header(answer: BeaconAnswer): Uint8Array<ArrayBuffer> | StepFailure
}
