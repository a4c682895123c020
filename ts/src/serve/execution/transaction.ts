/** Transactions as the bytes that are in a block (EIP-2718), read for the JSON-RPC. */
import { encodeRlp, itemsOf, readList, type RlpInput, type RlpItem } from '../../execution/rlp.ts'
import { keccak_256 } from '../../vendor/keccak.ts'
import { secp256k1 } from '../../vendor/secp256k1.ts'
import { concatAll } from '../../util/bytes.ts'
import { hexOf } from '../ssz/types.ts'
import { bigintOf, integerBytes, numberOfBytes, quantityOf } from './quantity.ts'

const common = ['gas', 'to', 'value', 'input'] as const
const fees = ['maxPriorityFeePerGas', 'maxFeePerGas'] as const
const signature = ['yParity', 'r', 's'] as const

/** The fields of each type of transaction, in the order of the RLP, by the names of the JSON-RPC: EIP-155, 2930, 1559, 4844, 7702. */
const fieldsOf: readonly (readonly string[])[] = [
  ['nonce', 'gasPrice', ...common, 'v', 'r', 's'],
  ['chainId', 'nonce', 'gasPrice', ...common, 'accessList', ...signature],
  ['chainId', 'nonce', ...fees, ...common, 'accessList', ...signature],
  [
    ...['chainId', 'nonce', ...fees, ...common, 'accessList'],
    ...['maxFeePerBlobGas', 'blobVersionedHashes', ...signature],
  ],
  ['chainId', 'nonce', ...fees, ...common, 'accessList', 'authorizationList', ...signature],
]

/** More items than any list of a transaction has. */
const MAX_ITEMS = 2 ** 20

/** BLOB_TX_TYPE (EIP-4844). */
const BLOB = 3

/** A transaction, read. */
export interface ReadTransaction {
  readonly type: number
  /** By the names of the JSON-RPC. */
  readonly fields: ReadonlyMap<string, RlpInput>
  /** Of a blob transaction; none of another. */
  readonly versionedHashes: readonly Uint8Array[]
  /** The address whose key signed it, 20 bytes: recovered when it is asked for first. */
  sender(): Uint8Array
}

const known = new WeakMap<Uint8Array, ReadTransaction>()

/** Reads a transaction; what was read is kept as long as its bytes are. Throws for what is none of these types. */
export function readTransaction(bytes: Uint8Array): ReadTransaction {
  const before = known.get(bytes)
  if (before !== undefined) return before
  const type = bytes[0]! >= 0xc0 ? 0 : bytes[0]!
  const names = fieldsOf[type]
  const items = readList(type === 0 ? bytes : bytes.subarray(1), MAX_ITEMS).map(inputOf)
  if (names === undefined || items.length !== names.length)
    throw new TypeError('this is no transaction of types 0 to 4')
  let sender: Uint8Array | undefined
  const read = {
    type,
    fields: new Map(names.map((name, at) => [name, items[at]!])),
    versionedHashes: type === BLOB ? (items[names.indexOf('blobVersionedHashes')] as Uint8Array[]) : [],
    sender: () => (sender ??= recover(type, items)),
  }
  known.set(bytes, read)
  return read
}

/** A blob transaction with its versioned hashes changed, and all else as it was; other transactions stay as they are. */
export function withVersionedHashes(
  bytes: Uint8Array,
  change: (hashes: readonly Uint8Array[]) => readonly Uint8Array[],
): Uint8Array {
  const { type, fields, versionedHashes } = readTransaction(bytes)
  if (type !== BLOB) return bytes
  const changed = new Map(fields).set('blobVersionedHashes', [...change(versionedHashes)])
  return concatAll([Uint8Array.of(BLOB), encodeRlp([...changed.values()])])
}

/** What is signed: all but the signature, with the chain’s id behind it where the transaction has no type (EIP-155). */
function recover(type: number, items: readonly RlpInput[]): Uint8Array {
  const [v, r, s] = items.slice(-3) as [Uint8Array, Uint8Array, Uint8Array]
  const body = items.slice(0, -3)
  const number = numberOfBytes(v)
  const isBound = type === 0 && number >= 35
  const chainId = integerBytes((number - 35) >> 1)
  const nothing = new Uint8Array(0)
  const signed =
    type === 0
      ? encodeRlp(isBound ? [...body, chainId, nothing, nothing] : body)
      : concatAll([Uint8Array.of(type), encodeRlp(body)])
  const parity = type === 0 ? (number + 1) % 2 : number
  const key = new secp256k1.Signature(bigintOf(r), bigintOf(s))
    .addRecoveryBit(parity)
    .recoverPublicKey(keccak_256(signed))
    .toRawBytes(false)
  return keccak_256(key.subarray(1)).slice(12)
}

/** How a field is written in JSON: a quantity, where nothing else is said. */
const json: Readonly<Record<string, (item: RlpInput) => unknown>> = {
  to: (item) => ((item as Uint8Array).length === 0 ? null : hexOf(item as Uint8Array)),
  input: (item) => hexOf(item as Uint8Array),
  accessList: (item) =>
    (item as [Uint8Array, Uint8Array[]][]).map(([address, keys]) => ({
      address: hexOf(address),
      storageKeys: keys.map(hexOf),
    })),
  blobVersionedHashes: (item) => (item as Uint8Array[]).map(hexOf),
  authorizationList: (item) =>
    (item as Uint8Array[][]).map(([chainId, address, ...rest]) => {
      const [nonce, yParity, r, s] = rest.map(quantityOf)
      return { chainId: quantityOf(chainId!), address: hexOf(address!), nonce, yParity, r, s }
    }),
}

/** Its own fields in the JSON of the JSON-RPC: without what its block says of it. */
export function transactionFieldsJson({ type, fields }: ReadTransaction): Record<string, unknown> {
  const own = [...fields].map(([name, item]) => [
    name,
    json[name]?.(item) ?? (name === 'to' ? null : quantityOf(item as Uint8Array)),
  ])
  const result = Object.fromEntries(own) as Record<string, unknown>
  if (type > 0) return { ...result, v: result['yParity'] }
  const v = numberOfBytes(fields.get('v') as Uint8Array)
  return v < 35 ? result : { ...result, chainId: quantityOf((v - 35) >> 1) }
}

/** An item and all that is in it. */
function inputOf(item: RlpItem): RlpInput {
  return item.isList ? itemsOf(item, MAX_ITEMS).map(inputOf) : item.payload
}
