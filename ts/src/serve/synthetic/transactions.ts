/**
 * Transactions of made blocks: blobs of two senders, and between them plain transfers of a third one. Their secret keys are 1, 2 and 3, which
 * all know.
 */
import { versionedHash } from '../../beacon/hashes.ts'
import { encodeRlp, type RlpInput } from '../../execution/rlp.ts'
import { concatAll } from '../../util/bytes.ts'
import type { ByteArray as Bytes } from '../../util/platform-types.ts'
import { keccak_256 } from '../../vendor/keccak.ts'
import { bigintOf, integerBytes } from '../execution/quantity.ts'

/** The chain’s id (EIP-155): nobody else’s. */
export const CHAIN_ID = 48_447_594

/** What each of the transactions uses: they move a little, and call nobody. */
export const GAS_PER_TRANSACTION = 21_000

/** The most blobs of one transaction, since Osaka (EIP-7594). */
const BLOBS_PER_TRANSACTION = 6

/** How many transactions each sender has sent. */
export type Nonces = readonly [number, number, number]

/** The transactions of a block, and how many each sender has sent when they are done. */
export interface MadeTransactions {
  readonly transactions: readonly Bytes[]
  /** The type of each: 0, 2 or 3. */
  readonly types: readonly number[]
  readonly nonces: Nonces
}

/**
 * Transactions whose versioned hashes are those of the commitments, in order; none where there are none. How the blobs are split, and where a
 * transfer comes between, goes by the slot, so that the place of a blob does not follow from that of its transaction.
 */
export function makeTransactions(
  commitments: readonly Uint8Array[],
  slot: number,
  before: Nonces,
): MadeTransactions {
  const nonces: [number, number, number] = [...before]
  const transactions: Bytes[] = []
  const types: number[] = []
  const add = (type: Type, sender: 0 | 1 | 2, hashes: readonly Uint8Array[]): void => {
    types.push(type)
    transactions.push(signed(type, sender, nonces[sender]++, hashes))
  }
  const hashes = commitments.map(hashOf)
  for (let from = 0, at = 0; from < hashes.length; at++) {
    if (at === slot % 2) add(nonces[2] % 2 === 0 ? 0 : 2, 2, [])
    const count = at === 0 && slot % 3 === 0 ? 1 + (Math.floor(slot / 3) % 5) : BLOBS_PER_TRANSACTION
    add(3, at % 2 === 0 ? 0 : 1, hashes.slice(from, from + count))
    from += count
  }
  return { transactions, types, nonces }
}

type Type = 0 | 2 | 3

const nothing = new Uint8Array(0)
const chainId = integerBytes(CHAIN_ID)
const gwei = integerBytes(1_000_000_000)
const gas = integerBytes(GAS_PER_TRANSACTION)
const to = new Uint8Array(20).fill(0xbc)

function signed(type: Type, sender: number, nonceNumber: number, hashes: readonly Uint8Array[]): Bytes {
  const nonce = integerBytes(nonceNumber)
  const value = integerBytes(type === 3 ? 0 : 1)
  if (type === 0) {
    const fields = [nonce, gwei, gas, to, value, nothing]
    const { yParity, r, s } = sign(sender, encoded([...fields, chainId, nothing, nothing]))
    return encoded([...fields, integerBytes(2 * CHAIN_ID + 35 + yParity), r, s])
  }
  const fields: RlpInput[] = [chainId, nonce, gwei, gwei, gas, to, value, nothing, []]
  if (type === 3) fields.push(gwei, [...hashes])
  const prefix = Uint8Array.of(type)
  const { yParity, r, s } = sign(sender, concatAll([prefix, encoded(fields)]))
  return concatAll([prefix, encoded([...fields, integerBytes(yParity), r, s])])
}

/** The order of secp256k1, and the x of its generator, whose y is even (SEC 2, section 2.4.1). */
const N = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const GENERATOR_X = 0x79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798n

/**
 * Signs with the secret key 1, 2 or 3, and the nonce 1: ECDSA is then one sum, where a library takes half a millisecond. Such a nonce gives
 * the key away, which is no secret.
 */
function sign(sender: number, message: Uint8Array): { yParity: number; r: Bytes; s: Bytes } {
  const s = (bigintOf(keccak_256(message)) + GENERATOR_X * BigInt(1 + sender)) % N
  // The smaller one of two that hold (EIP-2): the other one has the generator's negative.
  const isHigh = 2n * s > N
  return { yParity: isHigh ? 1 : 0, r: integerBytes(GENERATOR_X), s: integerBytes(isHigh ? N - s : s) }
}

const hashes = new WeakMap<Uint8Array, Bytes>()

/** A commitment’s versioned hash; there are few commitments, which many blocks share. */
function hashOf(commitment: Uint8Array): Bytes {
  const known = hashes.get(commitment)
  if (known !== undefined) return known
  const hash = versionedHash(commitment)
  hashes.set(commitment, hash)
  return hash
}

function encoded(items: RlpInput[]): Bytes {
  return new Uint8Array(encodeRlp(items))
}
