/** Transactions as bytes (EIP-2718), from their JSON-RPC form (execution-apis, schemas/transaction.yaml), and what blobs they name. */
import { MAX_BLOB_COMMITMENTS_PER_BLOCK } from '../beacon/constants.ts'
import { concatAll } from '../util/bytes.ts'
import { encodeHex } from '../util/hex.ts'
import type { Portable } from '../util/portable.ts'
import { ExecutionDataError, malformed } from './data-error.ts'
import { bytesOf, fieldsOf, type JsonFields, listOf, numberOf } from './json-fields.ts'
import { encodeRlp, itemsOf, readList, type RlpInput, stringOf } from './rlp.ts'

/** BLOB_TX_TYPE (EIP-4844). */
const BLOB_TYPE = 3
/** The fields of a blob transaction, and which of them is `blob_versioned_hashes`. */
const [BLOB_FIELDS, VERSIONED_HASHES] = [14, 10]
/** No transaction has more blobs than a block. */
const MAX_VERSIONED_HASHES = MAX_BLOB_COMMITMENTS_PER_BLOCK
/**
 * Gas that a list of one transaction may cost, with all that is in it, which is more than a block had (60 million) before Osaka, and four times what a
 * transaction may since (EIP-7825); and what an entry of each costs (EIP-2930, EIP-7702).
 */
const MAX_LIST_GAS = 2 ** 26
const [ADDRESS_GAS, STORAGE_KEY_GAS, AUTHORIZATION_GAS] = [2_400, 1_900, 12_500]

/**
 * The bytes that the JSON of a transaction says, as they are in a block. The hash in it is not looked at: a hash or a root that the caller has
 * must come out. Throws `ExecutionDataError`: `unsupported` for a type that follows those that are known, `malformed` where a field is missing
 * or not what it claims to be.
 */
export function transactionBytes(transaction: Portable | undefined): Uint8Array {
  const fields = fieldsOf(transaction, 'transaction')
  const type = typeOf(fields)
  const payload = encodeRlp(bodyOf(type, fields))
  return type === 0 ? payload : concatAll([Uint8Array.of(type), payload])
}

/**
 * The versioned hashes in the bytes of a transaction, 32 bytes each as 0x hex; none for a transaction of another type than EIP-4844's. Throws
 * `ExecutionDataError` for a blob transaction that is malformed, such as one in network form, with its blobs.
 */
export function versionedHashesOf(transaction: Uint8Array): string[] {
  if (transaction[0] !== BLOB_TYPE) return []
  const fields = readList(transaction.subarray(1), BLOB_FIELDS)
  const hashes = fields[VERSIONED_HASHES]
  if (hashes === undefined || fields.length !== BLOB_FIELDS)
    throw malformed('a blob transaction that lacks fields')
  return itemsOf(hashes, MAX_VERSIONED_HASHES).map((item) => `0x${encodeHex(stringOf(item, 32))}`)
}

/** The first byte of typed transactions, 0 for those of before; servers of before there were types say none. */
function typeOf({ type }: JsonFields): number {
  if (type === undefined || type === null) return 0
  const value = typeof type === 'string' && /^0x0*[0-9a-f]{1,2}$/i.test(type) ? Number(type) : type
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > 255)
    throw malformed('no type of a transaction')
  return value
}

/** The fields of each type in their order (Yellow Paper, section 4.3; EIP-155, 2930, 1559, 4844, 7702), the signature last. */
function bodyOf(type: number, fields: JsonFields): RlpInput[] {
  const number = (name: string): Uint8Array => numberOf(fields[name], name)
  const call = (): RlpInput[] => [
    receiverOf(fields['to']),
    number('value'),
    // Some servers know the one name, some the other, and many both.
    bytesOf(fields['input'] ?? fields['data'], 'input'),
  ]
  const fees = (): RlpInput[] => ['maxPriorityFeePerGas', 'maxFeePerGas', 'gas'].map(number)
  const signature = (): RlpInput[] => signatureOf(fields)
  switch (type) {
    case 0:
      // `v` has the chain's id in it, if any.
      return [...['nonce', 'gasPrice', 'gas'].map(number), ...call(), ...['v', 'r', 's'].map(number)]
    case 1:
      return [
        ...['chainId', 'nonce', 'gasPrice', 'gas'].map(number),
        ...[...call(), accessListOf(fields), ...signature()],
      ]
    case 2:
      return [number('chainId'), number('nonce'), ...fees(), ...call(), accessListOf(fields), ...signature()]
    case BLOB_TYPE:
      return [
        ...[number('chainId'), number('nonce'), ...fees(), ...call(), accessListOf(fields)],
        number('maxFeePerBlobGas'),
        hashesOf(fields['blobVersionedHashes'], 'blobVersionedHashes', MAX_VERSIONED_HASHES),
        ...signature(),
      ]
    case 4:
      return [
        ...[number('chainId'), number('nonce'), ...fees(), ...call(), accessListOf(fields)],
        authorizationsOf(fields),
        ...signature(),
      ]
    default:
      throw new ExecutionDataError('unsupported', `a transaction of type ${type}`)
  }
}

/** `yParity` came after the first typed transactions, whose `v` is the same number. */
function signatureOf(fields: JsonFields): RlpInput[] {
  const parity = numberOf(fields['yParity'] ?? fields['v'], 'yParity')
  return [parity, numberOf(fields['r'], 'r'), numberOf(fields['s'], 's')]
}

/** The receiver's address; none where the transaction creates a contract. */
function receiverOf(to: Portable | undefined): Uint8Array {
  return to === null || to === undefined ? new Uint8Array(0) : bytesOf(to, 'to', 20)
}

function hashesOf(value: Portable | undefined, name: string, maxItems: number): RlpInput[] {
  return listOf(value, name, maxItems).map((hash) => bytesOf(hash, name, 32))
}

function accessListOf(fields: JsonFields): RlpInput[] {
  const entries = listOf(fields['accessList'], 'accessList', Math.floor(MAX_LIST_GAS / ADDRESS_GAS))
  let gas = MAX_LIST_GAS - entries.length * ADDRESS_GAS
  return entries.map((entry) => {
    const { address, storageKeys } = fieldsOf(entry, 'entry of the access list')
    const keys = hashesOf(storageKeys, 'storageKeys', Math.floor(gas / STORAGE_KEY_GAS))
    gas -= keys.length * STORAGE_KEY_GAS
    return [bytesOf(address, 'address', 20), keys]
  })
}

function authorizationsOf(fields: JsonFields): RlpInput[] {
  const maxEntries = Math.floor(MAX_LIST_GAS / AUTHORIZATION_GAS)
  return listOf(fields['authorizationList'], 'authorizationList', maxEntries).map((entry) => {
    const authorization = fieldsOf(entry, 'authorization')
    const { chainId, address, nonce } = authorization
    return [
      ...[numberOf(chainId, 'chainId'), bytesOf(address, 'address', 20), numberOf(nonce, 'nonce')],
      ...signatureOf(authorization),
    ]
  })
}
