/** The columns that are asked for of one block, and what came of it. Which of them, and how many, is for others to say. */
import { refuseOtherSlot } from '../block-data/header.ts'
import { blockLinks } from '../block-data/proven-block.ts'
import type { ColumnAttempt, EndpointShare, RebuiltBlob } from '../block-data/report.ts'
import type { SidecarRequests } from '../block-data/requests/requests.ts'
import { dataColumns } from '../block-data/requests/sidecars.ts'
import { commitmentsOf, rebuildBlobs, slotIn } from '../block-data/sidecar-bytes.ts'
import { fetchVerified, sidecarRequests, type VerifiedSidecar } from '../block-data/verify.ts'
import { COLUMNS, COLUMNS_TO_REBUILD } from '../beacon/constants.ts'
import { inCommon } from '../verdict/links.ts'
import type { Links } from '../verdict/verdict.ts'
import { serverOf } from './confidence.ts'
import type { SampleContext } from './context.ts'
import { drawColumns } from './plan.ts'
import type { ColumnOutcome } from './report.ts'

/** A verified column. */
interface Kept {
  readonly source: string
  readonly links: Links
  /** Its SSZ, where the blobs are to be rebuilt. */
  readonly ssz: Uint8Array | null
}

/**
 * The columns drawn of one block, in that order, and those of them that were delivered and verified. What is drawn stays: a column that nobody
 * delivers is missing, whatever the excuse, and is never drawn anew.
 */
export class ColumnSample {
  readonly #context: SampleContext
  readonly #requests: SidecarRequests
  readonly #drawn: number[] = []
  readonly #kept = new Map<number, Kept>()
  /** How many were drawn first: those after them were added. */
  #first = COLUMNS
  #commitments: readonly string[]

  constructor(context: SampleContext) {
    this.#context = context
    this.#requests = sidecarRequests(dataColumns, context)
    // A column of Gloas brings no commitments: its block does, which is here already.
    this.#commitments = context.block?.commitments ?? []
  }

  /** How many were drawn. */
  get size(): number {
    return this.#drawn.length
  }

  /** How many of them were delivered, and verified. */
  get verified(): number {
    return this.#kept.size
  }

  /** How many of them everyone denies who was asked and counts. */
  get denied(): number {
    return this.#lacking.filter((index) => this.#requests.isDenied(index)).length
  }

  /** Whether all of the block can be rebuilt out of what was verified. */
  get isWhole(): boolean {
    return this.verified >= COLUMNS_TO_REBUILD
  }

  /** Whether nobody was there to answer for any of them. */
  get isUnreachable(): boolean {
    if (this.verified > 0) return false
    return this.#drawn.every((index) => this.#requests.attemptsOf(index).missing === 'unreachable')
  }

  /** The block's commitments, 0x hex, by the block or by the first column that was verified; none as long as there is neither. */
  get commitments(): readonly string[] {
    return this.#commitments
  }

  /** What is known of every column that was verified; where none was, what is known of the block. */
  get links(): Links {
    return this.verified === 0 && this.commitments.length > 0
      ? blockLinks(this.#context.header)
      : inCommon(this.#keptAs(({ links }) => links))
  }

  /** Who delivered each column that was verified. */
  get sources(): string[] {
    return this.#keptAs(({ source }) => source)
  }

  /** The columns that one server delivered alone, and another one denied. Nobody is asked for what is there. */
  get contested(): number[] {
    return Array.from(this.#kept).flatMap(([index, { source }]) =>
      this.#requests.attemptsOf(index).lackedBy.some((name) => serverOf(name) !== serverOf(source))
        ? [index]
        : [],
    )
  }

  /** What became of each column, in the order drawn. */
  get outcomes(): ColumnOutcome[] {
    return this.#drawn.map((index) => this.#outcomeOf(index))
  }

  get attempts(): ColumnAttempt[] {
    return this.#drawn.flatMap((index) => this.#requests.attemptsOf(index).attempts)
  }

  get endpoints(): EndpointShare[] {
    return this.#requests.tallies.map((one) => one.report())
  }

  /**
   * Draws so many more columns from those not drawn yet, requests and verifies them. Rejects with the signal's reason, with what the verifier
   * throws, and with a `TypeError` for a header whose slot is found not to be that of its block.
   */
  async draw(count: number): Promise<void> {
    const { notify, parts } = this.#context
    const rest = Array.from({ length: COLUMNS }, (_, at) => at).filter(
      (index) => !this.#drawn.includes(index),
    )
    const chosen = drawColumns(count, rest, parts.random)
    if (this.size === 0) this.#first = count
    notify({ kind: 'chosen', columns: chosen, added: this.size > 0 })
    this.#drawn.push(...chosen)
    await fetchVerified(this.#requests, chosen, this.#context, (one) => this.#keep(one))
    for (const index of chosen) if (!this.#kept.has(index)) this.#tell(index)
  }

  /** The block was asked, and has these commitments. */
  knowCommitments(commitments: readonly string[]): void {
    this.#commitments = commitments
  }

  /** The block is of no fork to come: who answered as of one was wrong, and is named for it. */
  knowFork(): void {
    this.#requests.knowFork()
  }

  /** The blobs, where they can be rebuilt and `reconstruct` asked for it, so that the columns were kept; else null. */
  async blobs(): Promise<RebuiltBlob[] | null> {
    const { parts, reconstruct, signal } = this.#context
    if (!reconstruct || !this.isWhole) return null
    return await rebuildBlobs(
      parts.pool,
      Array.from(this.#kept, ([index, { ssz }]) => ({ index, ssz: ssz ?? new Uint8Array(0) })),
      this.commitments.map((commitment, index) => ({ index, commitment })),
      signal,
    )
  }

  get #lacking(): number[] {
    return this.#drawn.filter((index) => !this.#kept.has(index))
  }

  #keep({ index, source, ssz, links }: VerifiedSidecar): void {
    const { block, header, reconstruct } = this.#context
    refuseOtherSlot(header, slotIn(ssz))
    // The same for all: each is tied to the one header by its branch.
    if (this.verified === 0 && block === null) this.#commitments = commitmentsOf(ssz)
    // A copy, so that the rest of the answer can go.
    this.#kept.set(index, { source, links, ssz: reconstruct ? new Uint8Array(ssz) : null })
    this.#tell(index)
  }

  #keptAs<T>(read: (one: Kept) => T): T[] {
    return Array.from(this.#kept.values(), read)
  }

  #tell(index: number): void {
    this.#context.notify({ kind: 'column', outcome: this.#outcomeOf(index) })
  }

  #outcomeOf(index: number): ColumnOutcome {
    const { attempts, missing } = this.#requests.attemptsOf(index)
    const source = this.#kept.get(index)?.source ?? null
    return {
      index,
      added: this.#drawn.indexOf(index) >= this.#first,
      status: source === null ? 'missing' : 'verified',
      reason: source === null ? missing : null,
      source,
      attempts: [...attempts],
    }
  }
}
