/**
 * Beacon API JSON as SSZ, by a type that the module describes: types and limits are written down once, in crates/block. From here on
 * there is one form, and one parser. Strict: each field of a container and no other, unsigned integers as decimal strings, bytes as
 * `0x` hex. Recursion follows the type, never the input, and no more is written than a block may have.
 */
import { decodeHex } from '../../util/hex.ts'
import { printable } from '../../util/printable.ts'
import { MAX_BLOCK_BYTES } from './source.ts'
import { SszError, type SszErrorReason } from './errors.ts'
import { fixedPart, fixedSize, OFFSET_BYTES, type SszType } from './ssz-type.ts'

/** The SSZ of a value that is given as JSON. Throws `SszError`; `at` is the path to the value. */
export function jsonToSsz(type: SszType, json: unknown, at: string): Uint8Array<ArrayBuffer> {
  const writer = new Writer(at)
  writer.append(type, json)
  return writer.bytes
}

/** Writes values one after the other. */
class Writer {
  #memory = new Uint8Array(1 << 16)
  #view = new DataView(this.#memory.buffer)
  #length = 0
  /** The way to the value that is being written. */
  readonly #path: (string | number)[]

  constructor(at: string) {
    this.#path = at === '' ? [] : [at]
  }

  get bytes(): Uint8Array<ArrayBuffer> {
    return this.#memory.subarray(0, this.#length)
  }

  /** Writes a value behind what there is. */
  append(type: SszType, json: unknown): void {
    const size = fixedSize(type)
    if (size !== null) return this.#put(type, json, this.#reserve(size))
    switch (type[0]) {
      case 'byte-list':
        return this.#appendHex(json, type[1])
      case 'bit-list':
        // With the bit that ends it, which the module looks for.
        return this.#appendHex(json, Math.floor(type[1] / 8) + 1)
      case 'list':
      case 'vector':
        return this.#appendList(type, json)
      case 'container':
        return this.#putContainer(type[1], json, this.#reserve(fixedPart(type[1])))
    }
  }

  /** Writes a value of fixed size where there is room for it. */
  #put(type: SszType, json: unknown, at: number): void {
    switch (type[0]) {
      case 'uint':
        return this.#putUint(json, at, type[1])
      case 'boolean':
        if (typeof json !== 'boolean') throw this.#error('type')
        this.#memory[at] = json ? 1 : 0
        return
      case 'bytes':
        return this.#putHex(json, at, type[1])
      case 'bit-vector':
        return this.#putHex(json, at, Math.ceil(type[1] / 8))
      case 'vector': {
        const list = this.#listOf(json)
        if (list.length !== type[2]) throw this.#error('length')
        return this.#putEach(type[1], list, at)
      }
      case 'container':
        return this.#putContainer(type[1], json, at)
    }
  }

  /** The fixed part of a container where there is room for it, and what is of variable size behind all that there is. */
  #putContainer(fields: readonly (readonly [string, SszType])[], json: unknown, at: number): void {
    if (typeof json !== 'object' || json === null || Array.isArray(json)) throw this.#error('type')
    const start = at
    for (const [name, type] of fields) {
      this.#path.push(name)
      if (!Object.hasOwn(json, name)) throw this.#error('missing-field')
      const value = (json as Record<string, unknown>)[name]
      const size = fixedSize(type)
      if (size !== null) this.#put(type, value, at)
      else {
        this.#view.setUint32(at, this.#length - start, true)
        this.append(type, value)
      }
      at += size ?? OFFSET_BYTES
      this.#path.pop()
    }
    const names = Object.keys(json)
    if (names.length === fields.length) return
    const unknown = names.find((name) => !fields.some(([known]) => known === name)) ?? ''
    this.#path.push(printable(unknown.slice(0, 64)))
    throw this.#error('unknown-field')
  }

  #appendList(type: readonly ['vector' | 'list', SszType, number], json: unknown): void {
    const [, element, limit] = type
    const list = this.#listOf(json)
    if (list.length > limit) throw this.#error('limit')
    const size = fixedSize(element)
    if (size !== null) return this.#putEach(element, list, this.#reserve(size * list.length))
    const start = this.#reserve(OFFSET_BYTES * list.length)
    for (const [index, entry] of list.entries()) {
      this.#view.setUint32(start + OFFSET_BYTES * index, this.#length - start, true)
      this.#path.push(index)
      this.append(element, entry)
      this.#path.pop()
    }
  }

  /** Elements of fixed size, where there is room for them. */
  #putEach(element: SszType, list: readonly unknown[], at: number): void {
    const size = fixedSize(element) ?? 0
    for (const [index, entry] of list.entries()) {
      this.#path.push(index)
      this.#put(element, entry, at + size * index)
      this.#path.pop()
    }
  }

  #putUint(json: unknown, at: number, size: number): void {
    // 2²⁵⁶ has 78 digits.
    if (typeof json !== 'string' || !/^(?:0|[1-9][0-9]{0,77})$/.test(json)) throw this.#error('type')
    let value = BigInt(json)
    if (value >> BigInt(8 * size) !== 0n) throw this.#error('limit')
    for (let from = at; from < at + size; from += 8, value >>= 64n)
      this.#view.setBigUint64(from, BigInt.asUintN(64, value), true)
  }

  #putHex(json: unknown, at: number, length: number): void {
    this.#memory.set(this.#bytesOf(json, length, length), at)
  }

  #appendHex(json: unknown, limit: number): void {
    const bytes = this.#bytesOf(json, 0, limit)
    const at = this.#reserve(bytes.length)
    // Not before: reserving may move the memory.
    this.#memory.set(bytes, at)
  }

  /** Decodes hex of so many bytes; more is not decoded. */
  #bytesOf(json: unknown, least: number, most: number): Uint8Array {
    if (typeof json !== 'string') throw this.#error('type')
    const length = json.length / 2 - 1
    if (length < least) throw this.#error('length')
    if (length > Math.min(most, MAX_BLOCK_BYTES)) throw this.#error(least === most ? 'length' : 'limit')
    const bytes = decodeHex(json)
    if (bytes === null) throw this.#error('type')
    return bytes
  }

  #listOf(json: unknown): readonly unknown[] {
    if (!Array.isArray(json)) throw this.#error('type')
    return json as readonly unknown[]
  }

  /** Room for so many bytes behind what there is, all zero; where it is. */
  #reserve(bytes: number): number {
    const start = this.#length
    if (start + bytes > MAX_BLOCK_BYTES) throw this.#error('limit')
    this.#length = start + bytes
    if (this.#length > this.#memory.length) {
      const memory = new Uint8Array(Math.min(2 * this.#length, MAX_BLOCK_BYTES))
      memory.set(this.#memory)
      this.#memory = memory
      this.#view = new DataView(memory.buffer)
    }
    return start
  }

  #error(reason: SszErrorReason): SszError {
    const path = this.#path.map((step, at) =>
      typeof step === 'number' ? `[${step}]` : at === 0 ? step : `.${step}`,
    )
    return new SszError(reason, path.join(''))
  }
}
