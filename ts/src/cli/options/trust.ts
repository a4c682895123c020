/** Where the trust in a chain begins: `--checkpoint`, or `--trust-endpoint`. */
import { Option } from '../../vendor/commander.ts'
import { UsageError } from '../command.ts'
import { readRoot } from './arguments.ts'

/** `--checkpoint`: where the trust in a chain begins. */
export function checkpointOption(): Option {
  return new Option('-c, --checkpoint <root>', 'root of a finalized block that you trust, 0x…').argParser(
    readRoot,
  )
}

/** `--trust-endpoint`, for a command that needs no checkpoint. */
export function trustEndpointOption(): Option {
  return new Option('--trust-endpoint', 'take the endpoints’ word for which blocks are of the chain')
    .conflicts('checkpoint')
    .default(false)
}

/** What the trust in a chain begins with: one of the two. */
export interface TrustOptions {
  readonly checkpoint?: string
  readonly trustEndpoint: boolean
}

/** On whose word a block is taken to be of the chain, as a sentence. */
export const trustSentences = {
  checkpoint: 'Headers are verified from your checkpoint.',
  endpoint:
    'Headers are taken on the endpoints’ word: what is shown belongs to the block that they name, which may be none of the chain.',
} as const

/** Throws `UsageError`, with a sentence that says what to do, where there is neither. */
export function requireTrust({ checkpoint, trustEndpoint }: TrustOptions): void {
  if (checkpoint === undefined && !trustEndpoint)
    throw new UsageError(
      'where does your trust in the chain begin? --checkpoint 0x… takes the root of a finalized block from someone whom you trust: ' +
        'your own node (curl -s http://localhost:5052/eth/v1/beacon/headers/finalized), or a public checkpoint service. ' +
        '--trust-endpoint takes the endpoints’ word for each block, and says so.',
    )
}
