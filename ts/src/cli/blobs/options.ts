/** The options of `blobcheck blobs`, read. */
import { InvalidArgumentError } from '../../vendor/commander.ts'
import type { BlobQuery } from '../../blobs/options.ts'
import type { BlockId } from '../../block-data/report.ts'
import { UsageError } from '../command.ts'
import { type LightClientOptions } from '../options/light-client.ts'
import { requireTrust, type TrustOptions } from '../options/trust.ts'
import { isHash } from '../../util/hash.ts'

export interface BlobsCommandOptions extends Omit<LightClientOptions, 'checkpoint'>, TrustOptions {
  readonly block?: BlockId
  readonly executionBlock?: string
  readonly execution?: readonly string[]
  readonly archive?: readonly string[]
  readonly history: number
  /** Seconds. */
  readonly deadline: number
  readonly out?: string
  readonly json: boolean
}

/** What is wanted, in words for people and as a blob source takes it. */
export interface Wanted {
  readonly name: string
  readonly query: BlobQuery
}

/** Throws `UsageError`, with a sentence that says what to do. */
export function readWanted(transaction: string | undefined, options: BlobsCommandOptions): Wanted {
  const { block, executionBlock, execution } = options
  if ([transaction, block, executionBlock].filter((one) => one !== undefined).length !== 1)
    throw new UsageError(
      'whose blobs? Give one of the three: the hash of a transaction, --block with a slot or a root, or --execution-block with a hash',
    )
  requireTrust(options)
  if (block !== undefined) return { name: `block ${block}`, query: queryOf(block) }
  if (execution === undefined)
    throw new UsageError(
      'which block that is, an execution node says: name one with --execution (its JSON-RPC; it is not trusted)',
    )
  return transaction !== undefined
    ? { name: `transaction ${transaction}`, query: { transaction } }
    : { name: `execution block ${executionBlock}`, query: { blockHash: executionBlock! } }
}

function queryOf(block: BlockId): BlobQuery {
  if (typeof block === 'number' || block === 'head' || block === 'finalized') return { slot: block }
  return { root: block }
}

/** The hash of a transaction or of an execution block. */
export function readHash(value: string): string {
  if (!isHash(value)) throw new InvalidArgumentError('It must be a hash of 0x and 64 hex digits.')
  return value.toLowerCase()
}
