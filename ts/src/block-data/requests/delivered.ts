/** Sidecars as they came, of which nothing is verified, and which of several copies of one is looked at next. */
import type { Endpoint } from '../../beacon/endpoint.ts'
import type { InvalidReason, MalformedReason } from '../../verdict/reasons.ts'
import { OF_ANOTHER_BLOCK } from './attempts.ts'
import type { Entry } from './sidecars.ts'

/** A sidecar as it came: nothing of it is verified. */
export interface Delivered {
  readonly index: number
  readonly sidecar: Entry['sidecar']
  readonly bytes: number
  readonly endpoint: Endpoint
  /** Whether the answer that it was in was complete, as far as can be told. */
  readonly isWhole: boolean
  /** Whether it is the first of its index in that answer. */
  readonly isFirst: boolean
}

/** Why a sidecar was refused. */
export type Refusal = InvalidReason | MalformedReason

/** What came of a block's sidecars and was not looked at yet: copies of one answer, and of several endpoints that were asked for the same. */
export class Copies {
  readonly #waiting = new Map<number, Delivered[]>()
  /** Why copies were refused on which another one follows. */
  readonly #refusals = new Map<number, Refusal[]>()

  add(copy: Delivered): void {
    this.#waiting.set(copy.index, [...(this.#waiting.get(copy.index) ?? []), copy])
  }

  /** The next copy of each of these of which there is one. */
  take(indices: readonly number[]): Delivered[] {
    return indices.flatMap((index) => this.#waiting.get(index)?.splice(0, 1) ?? [])
  }

  /**
   * Notes that one was refused, and says why its sender is: of several copies of an answer by what is wrong with one of the wanted block, if there
   * was one. Null where another copy of the same answer is to be looked at first.
   */
  refused({ index, endpoint }: Delivered, refusal: Refusal): Refusal | null {
    const refusals = [...(this.#refusals.get(index) ?? []), refusal]
    this.#refusals.set(index, refusals)
    if (this.#waiting.get(index)?.[0]?.endpoint === endpoint) return null
    this.#refusals.delete(index)
    return refusals.find((one) => one !== OF_ANOTHER_BLOCK) ?? refusal
  }

  /** What becomes of one is known, other than that it is refused; `isThere`: and of no other copy anything is wanted. */
  settle(index: number, isThere: boolean): void {
    this.#refusals.delete(index)
    if (isThere) this.#waiting.delete(index)
  }

  /** Nothing more of what came is wanted. */
  clear(): void {
    this.#waiting.clear()
  }
}
