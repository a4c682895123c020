/** Why a search for blobs came to its verdict, for people: what the command line and the proxy write beside a reason. */
import type { BlobsReason } from '../../blobs/result.ts'

/** Each is a clause about what was asked for, without a full stop. */
export const reasonsInWords: Readonly<Record<BlobsReason, string>> = {
  verified: 'each was verified',
  'not-served': 'everyone who was asked answered, and nobody had what is missing',
  false: 'what was given for those that are missing is false',
  unreachable: 'not everyone who might have what is missing answered in time',
  unfinished: 'the time was up while answers were still being verified here',
  expired: 'nobody has them, and nodes need not keep data of that age; an archive may have it (--archive)',
  'no-blobs': 'the block has none',
  'empty-slot': 'nobody proposed a block in that slot',
  'before-deneb': 'there were no blobs yet',
  'payload-not-revealed':
    'the next block builds on an older payload, so that this one’s is no part of the chain',
  'may-have-no-payload': 'whether the payload was revealed is not known before the next block',
  'no-header': 'it cannot be told which block that is',
  'no-block': 'no endpoint gave the block, which says what its blobs are',
  'no-transaction': 'no execution endpoint gave it',
  'not-of-the-chain': 'its execution block is not that of the beacon block at its time',
  'not-found': 'its block does not name them',
  crashed: 'our own workers crashed: try again',
  'unsupported-fork': 'the block is of a fork that this version, or the network’s config, does not know',
}
