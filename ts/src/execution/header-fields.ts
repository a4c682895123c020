/** The fields of a header, in their order, under their names in JSON-RPC (execution-apis, schemas/block.yaml). */

/** What a field is: a number, bytes of any length, or so many bytes. */
export type HeaderForm = 'number' | 'bytes' | 20 | 32 | 256 | 8

/** A field of a header. */
export interface HeaderField {
  readonly name: string
  readonly form: HeaderForm
}

const field = (name: string, form: HeaderForm): HeaderField => ({ name, form })

/** The fields of Frontier, which every header has (Yellow Paper, section 4.4), and then those that a fork added, each behind the last. */
export const HEADER_FIELDS: readonly HeaderField[] = [
  field('parentHash', 32),
  field('sha3Uncles', 32),
  field('miner', 20),
  field('stateRoot', 32),
  field('transactionsRoot', 32),
  field('receiptsRoot', 32),
  field('logsBloom', 256),
  field('difficulty', 'number'),
  field('number', 'number'),
  field('gasLimit', 'number'),
  field('gasUsed', 'number'),
  field('timestamp', 'number'),
  field('extraData', 'bytes'),
  field('mixHash', 32),
  field('nonce', 8),
  // London, EIP-1559.
  field('baseFeePerGas', 'number'),
  // Shanghai, EIP-4895.
  field('withdrawalsRoot', 32),
  // Cancun, EIP-4844 and EIP-4788.
  field('blobGasUsed', 'number'),
  field('excessBlobGas', 'number'),
  field('parentBeaconBlockRoot', 32),
  // Prague, EIP-7685.
  field('requestsHash', 32),
  // Amsterdam, EIP-7928 and EIP-7843.
  field('blockAccessListHash', 32),
  field('slotNumber', 'number'),
]

/** How many fields every header has. */
export const LEGACY_FIELDS = 15
