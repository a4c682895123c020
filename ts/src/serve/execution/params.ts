/** Parameters of methods. What makes no sense is the error "invalid params". */
import { codes, RpcError } from './json-rpc.ts'
import type { BlockId } from './view.ts'
import { isHash } from '../../util/hash.ts'

/** 32 bytes as 0x hex, in lower case. */
export function readHash(value: unknown, name: string): string {
  if (isHash(value)) return value.toLowerCase()
  throw new RpcError(codes.invalidParams, `${name} must be 32 bytes as 0x hex`)
}

/** A quantity: a number below 2⁵³ as 0x hex. */
export function readQuantity(value: unknown, name: string): number {
  if (typeof value === 'string' && /^0x[0-9a-f]{1,13}$/i.test(value)) return Number(value)
  throw new RpcError(codes.invalidParams, `${name} must be a number as 0x hex`)
}

/** True or false; false where it is absent. */
export function readFlag(value: unknown, name: string): boolean {
  if (value === undefined || typeof value === 'boolean') return value ?? false
  throw new RpcError(codes.invalidParams, `${name} must be true or false`)
}

const tags: Readonly<Record<string, BlockId>> = {
  latest: { tag: 'head' },
  pending: { tag: 'head' },
  safe: { tag: 'safe' },
  finalized: { tag: 'finalized' },
  earliest: { number: 0 },
}

/** A number, or a word that stands for one. */
export function readNumber(value: unknown): BlockId {
  const tag = typeof value === 'string' && Object.hasOwn(tags, value) ? tags[value] : undefined
  return tag ?? { number: readQuantity(value, 'block') }
}

/** A number, a word, or a hash, also as an object (EIP-1898). */
export function readBlockId(value: unknown): BlockId {
  if (isHash(value)) return { hash: value.toLowerCase() }
  if (typeof value !== 'object' || value === null) return readNumber(value)
  const { blockHash, blockNumber } = value as Record<string, unknown>
  return blockHash === undefined ? readNumber(blockNumber) : { hash: readHash(blockHash, 'blockHash') }
}
