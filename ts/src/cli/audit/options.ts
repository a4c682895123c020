/** The options of `blobcheck audit`, read. */
import { readUrls } from '../../beacon/endpoints.ts'
import { UsageError } from '../command.ts'
import { type LightClientOptions } from '../options/light-client.ts'
import { requireTrust, type TrustOptions } from '../options/trust.ts'
import { type AuditIdentity, identityOf } from './identity.ts'

export interface AuditCommandOptions extends Omit<LightClientOptions, 'checkpoint' | 'beacon'>, TrustOptions {
  readonly from: number
  readonly to: number
  readonly beacon?: readonly string[]
  readonly archive?: readonly string[]
  readonly report?: string
  readonly all: boolean
  readonly retryUnknown: boolean
  readonly concurrency: number
  readonly workers?: number
  readonly attempts: number
  readonly redis?: string
  readonly redisPatience: number
  readonly json: boolean
}

/** What is asked of whom. */
export interface Plan {
  readonly identity: AuditIdentity
  /** Who is asked for headers and blocks. */
  readonly beacon: readonly string[]
  /** Who is audited. */
  readonly servers: readonly string[]
}

/** More than six years of slots: what is longer is a mistake. */
const MAX_SLOTS = 2 ** 24

/** Throws `UsageError`, with a sentence that says what to do, and `TypeError` for what is no URL. */
export function readPlan(options: AuditCommandOptions): Plan {
  const { from, to, network, checkpoint, archive } = options
  const beacon = options.beacon ?? archive
  const servers = archive ?? options.beacon
  if (beacon === undefined || servers === undefined)
    throw new UsageError(
      'who is to be audited? --beacon URL… audits nodes; --archive URL… audits archives, for which --beacon, if it is given, has headers and blocks.',
    )
  readUrls(beacon)
  readUrls(servers, options.archive === undefined ? 'beacon' : 'archive')
  if (from > to) throw new UsageError(`--from ${from} is after --to ${to}`)
  const total = to - from + 1
  if (total > MAX_SLOTS)
    throw new UsageError(
      `--from ${from} --to ${to} are ${total} slots, more than the ${MAX_SLOTS} of an audit: slots are not Unix times, and not numbers of blocks`,
    )
  requireTrust(options)
  if (options.retryUnknown && options.report === undefined)
    throw new UsageError('--retry-unknown is about a report: say with --report which one')
  const audited = { from, to, network, servers, ...(checkpoint !== undefined && { checkpoint }) }
  return { identity: identityOf(audited), beacon, servers }
}
