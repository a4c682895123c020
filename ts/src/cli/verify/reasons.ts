/** Reasons in words, where the code alone leaves people wondering what to do. */
import type { Reason } from '../../verdict/reasons.ts'

export const reasonsInWords: { readonly [reason in Reason]?: string } = {
  'proof-mismatch': 'the data is not what the commitment stands for',
  'inclusion-mismatch': 'its branch does not lead to the body root of its header',
  'proposer-signature': 'its header is not signed with the key that you named',
  'header-mismatch': 'its header is not the one that you named',
  'versioned-hash-mismatch': 'the commitment has another versioned hash',
  'versioned-hash-not-in-anchor': 'its versioned hashes are not those that you named',
  'unsupported-fork': 'by the schedule of --network, blocks of its slot have no such sidecars',
  'too-many-blobs': 'by the schedule of --network, a block of its slot has fewer',
  'wrapper-fork': 'transactions of that fork are wrapped otherwise: see --fork',
  'not-network-form': 'it is as it is in a block: its blobs are not with it',
  'transaction-type': 'only transactions of type 3 bring blobs',
  'worker-crashed': 'nothing is known about it: try again',
}
