/**
 * Items in memory that was taken over from the caller (`transfer: true`). A buffer that one item uses travels to a worker and back by
 * transfer. What several items share, or what cannot be detached (shared memory, WebAssembly memory, Node's pool), is copied piece by
 * piece: a message would take all of it, and another worker needs the rest.
 */
import { attachedView } from '../util/bytes.ts'
import { type Portable, portable } from '../util/portable.ts'
import type { PooledCopies } from './buffer-pool.ts'

/** A buffer that was the caller's. */
export interface TakenBuffer {
  /** Empty while it is with a worker, and for ever where the worker died of it. */
  buffer: ArrayBuffer
  /** The first item that uses it. */
  readonly user: number
  /** Whether it is to be copied from, rather than transferred. */
  isCopied: boolean
}

/** Where a byte array of an item is. */
interface Region {
  readonly memory: TakenBuffer
  readonly offset: number
  readonly length: number
}

/** The items of one call in memory that was the caller's. */
export class TakenItems {
  /** The items, with an empty stand-in for each byte array. */
  readonly #templates: readonly Portable[]
  readonly #regions = new Map<Uint8Array, Region>()

  /**
   * Detaches all buffers of these at once: a view that shares its buffer with another must be measured before either is taken. Throws
   * `TypeError` where one is detached already; then nothing is taken.
   */
  constructor(contents: readonly unknown[]) {
    const taken = new Map<ArrayBufferLike, TakenBuffer>()
    this.#templates = contents.map((content, user) =>
      portable(content, {
        take: (bytes) => {
          const standIn = new Uint8Array(0)
          const { buffer, byteOffset: offset, length } = attachedView(bytes)
          if (length === 0) return standIn
          const memory = taken.get(buffer) ?? { buffer: buffer as ArrayBuffer, user, isCopied: false }
          if (memory.user !== user) memory.isCopied = true
          taken.set(buffer, memory)
          this.#regions.set(standIn, { memory, offset, length })
          return standIn
        },
      }),
    )
    for (const memory of taken.values()) {
      try {
        const moved = structuredClone(memory.buffer, { transfer: [memory.buffer] })
        // Node 20 copies all of what it cannot detach, and says nothing.
        if (memory.buffer.byteLength > 0) memory.isCopied = true
        else memory.buffer = moved
      } catch {
        memory.isCopied = true
      }
    }
  }

  /**
   * An item as it is to travel: in its own buffers, which are added to `lent`, or copied. Null where its memory is gone: a worker that
   * crashed has taken it along, or it could not be taken over, and was detached meanwhile (WebAssembly memory that grew).
   */
  read(at: number, copies: PooledCopies, lent: Set<TakenBuffer>): Portable {
    const template = this.#templates[at] ?? null
    const isGone = this.#arraysOf(template).some(
      ({ memory, offset, length }) => memory.buffer.byteLength < offset + length,
    )
    return isGone ? null : this.#fill(template, copies, lent)
  }

  /**
   * Whether an item can be read once more after a crash, which may have taken its memory. It is copied from then on: its units may be tried
   * at the same time, and no message may take from the others what they are made of.
   */
  recall(at: number): boolean {
    const regions = this.#arraysOf(this.#templates[at] ?? null)
    for (const { memory } of regions) memory.isCopied = true
    return regions.every(({ memory }) => memory.buffer.byteLength > 0)
  }

  #arraysOf(value: Portable): Region[] {
    if (typeof value !== 'object' || value === null) return []
    if (value instanceof Uint8Array) return [this.#regions.get(value) ?? []].flat()
    return Object.values(value).flatMap((part) => this.#arraysOf(part as Portable))
  }

  #fill(value: Portable, copies: PooledCopies, lent: Set<TakenBuffer>): Portable {
    if (typeof value !== 'object' || value === null) return value
    if (value instanceof Uint8Array) {
      const region = this.#regions.get(value)
      if (region === undefined) return value
      const { memory, offset, length } = region
      const bytes = new Uint8Array(memory.buffer, offset, length)
      if (memory.isCopied) return copies.take(bytes)
      copies.bytes += length
      lent.add(memory)
      return bytes
    }
    if (Array.isArray(value)) return value.map((part) => this.#fill(part, copies, lent))
    const record = Object.create(null) as { [key: string]: Portable }
    for (const [key, part] of Object.entries(value)) record[key] = this.#fill(part, copies, lent)
    return record
  }
}
