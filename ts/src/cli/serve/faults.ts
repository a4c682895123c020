/** Faults from a command line: options that become rules. */
import { type Command, InvalidArgumentError } from '../../vendor/commander.ts'
import { COLUMNS } from '../../beacon/constants.ts'
import { HEADER_FIELDS } from '../../execution/header-fields.ts'
import { beaconRouteNames, corruptParts, lies, routeNames } from '../../serve/faults/faults.ts'
import type { Fault, FaultRule, LieFault, RouteName } from '../../serve/index.ts'
import { integerUpTo, partOf } from '../options/arguments.ts'

export interface FaultOptions {
  readonly withhold?: number | readonly number[]
  readonly hideBlobs: boolean
  readonly corrupt: readonly Fault[]
  readonly lie: readonly LieFault[]
  readonly delay?: number
  readonly drip?: number
  readonly truncate?: number
  readonly oversized?: number
  readonly contentType?: string
  readonly redirect?: string
  readonly status?: number
  readonly rateLimit?: number
  readonly routes?: readonly RouteName[]
  readonly probability: number
}

const MAX_INDEX = 4_095
const LIE = '--lie <about[:field]>'
const ROUTES = '--routes <names>'
const PROBABILITY = '--probability <part>'

/** Adds the options to a command. */
export function addFaultOptions(command: Command): Command {
  return command
    .option(
      '--withhold <columns>',
      'lack so many columns of each block, other ones each time; or these, as 3,7, or :3 for one',
      readWithheld,
    )
    .option('--hide-blobs', 'say that no block has blobs', false)
    .option(
      '--corrupt <part[:indices]>',
      `spoil sidecars: ${corruptParts.join(', ')}; repeatable`,
      readCorrupt,
      [],
    )
    .option(LIE, `say something false of the execution layer: ${lies.join(', ')}; repeatable`, readLie, [])
    .option('--delay <ms>', 'answer so much later', integerUpTo(600_000))
    .option('--drip <bytes>', 'send so many bytes ten times a second', integerUpTo(1_000_000))
    .option('--truncate <part>', 'break off after this part of each answer, 0 to 1', partOf)
    .option('--oversized <bytes>', 'go on for so many bytes after the end', integerUpTo(1_000_000_000))
    .option('--content-type <type>', 'say that answers are of another type')
    .option('--redirect <url>', 'send everybody there', readUrl)
    .option('--status <code>', 'answer with this status, 400 to 599', readStatus)
    .option('--rate-limit <count>', 'answer 429 to more requests a second than these', integerUpTo(1_000_000))
    .option(
      ROUTES,
      `whom the faults befall; default all: ${beaconRouteNames.join(', ')}, or methods of the JSON-RPC`,
      readRoutes,
    )
    .option(PROBABILITY, 'how often they befall a request, 0 to 1', partOf, 1)
}

/** Which of the options has no effect, as the flags of it and why; null where each has one. `hasExecution`: a JSON-RPC is served, too. */
export function uselessFault(
  options: FaultOptions,
  hasExecution: boolean,
): { readonly flags: string; readonly reason: string } | null {
  if (options.lie.length > 0 && !hasExecution)
    return { flags: LIE, reason: 'needs --execution-port: it is the JSON-RPC that tells the lies' }
  if (rulesOf(options).length > 0) return null
  if (options.routes !== undefined)
    return { flags: ROUTES, reason: 'needs a fault that befalls them, as --status 503' }
  if (options.probability !== 1)
    return { flags: PROBABILITY, reason: 'needs a fault that it is the probability of, as --status 503' }
  return null
}

/** The rules that the options ask for. */
export function rulesOf(options: FaultOptions): FaultRule[] {
  const { withhold, hideBlobs, corrupt, delay, drip, truncate, oversized } = options
  const { contentType, redirect, status, rateLimit, routes, probability } = options
  const faults: Fault[] = [...corrupt, ...options.lie]
  if (withhold !== undefined) faults.push({ kind: 'withhold', columns: withhold })
  if (hideBlobs) faults.push({ kind: 'hide-blobs' })
  if (delay !== undefined) faults.push({ kind: 'delay', ms: delay })
  if (drip !== undefined) faults.push({ kind: 'drip', bytes: drip, everyMs: 100 })
  if (truncate !== undefined) faults.push({ kind: 'truncate', at: truncate })
  if (oversized !== undefined) faults.push({ kind: 'oversized', bytes: oversized })
  if (contentType !== undefined) faults.push({ kind: 'content-type', value: contentType })
  if (redirect !== undefined) faults.push({ kind: 'redirect', to: redirect })
  if (status !== undefined) faults.push({ kind: 'status', code: status })
  if (rateLimit !== undefined) faults.push({ kind: 'rate-limit', perSecond: rateLimit })
  return faults.map((fault) => ({ fault, probability, ...(routes === undefined ? {} : { routes }) }))
}

function readStatus(value: string): number {
  if (!/^[45]\d\d$/.test(value)) throw new InvalidArgumentError('It must be a status from 400 to 599.')
  return Number(value)
}

function readUrl(value: string): string {
  if (!URL.canParse(value)) throw new InvalidArgumentError('It must be a URL.')
  return value
}

/** A single number is how many; a list, or a number behind `:`, is which. So is one behind `#`, which shells take for the start of a comment unless it is quoted. */
function readWithheld(value: string): number | readonly number[] {
  if (!/[#:,]/.test(value)) {
    if (/^\d+$/.test(value) && Number(value) <= COLUMNS) return Number(value)
    throw new InvalidArgumentError(
      `It must be a number of columns, 0 to ${COLUMNS}, or indices, as 3,7 or :3.`,
    )
  }
  return value.split(',').map((one) => integerUpTo(COLUMNS - 1)(one.replace(/^[#:]/, '')))
}

function readCorrupt(value: string, before: readonly Fault[]): readonly Fault[] {
  const [name = '', indices] = value.split(':')
  const part = corruptParts.find((known) => known === name)
  if (part === undefined) throw new InvalidArgumentError(`It must be one of ${corruptParts.join(', ')}.`)
  const which = indices === undefined ? {} : { indices: indices.split(',').map(integerUpTo(MAX_INDEX)) }
  return [...before, { kind: 'corrupt', part, ...which }]
}

function readLie(value: string, before: readonly LieFault[]): readonly LieFault[] {
  const [name = '', field] = value.split(':')
  const about = lies.find((known) => known === name)
  if (about === undefined) throw new InvalidArgumentError(`It must be one of ${lies.join(', ')}.`)
  if (field === undefined) return [...before, { kind: 'lie', about }]
  const fields = HEADER_FIELDS.map((known) => known.name)
  if (about !== 'header' || !fields.includes(field))
    throw new InvalidArgumentError(
      `Only header:field names a field, which must be one of ${fields.join(', ')}.`,
    )
  return [...before, { kind: 'lie', about, field }]
}

function readRoutes(value: string): readonly RouteName[] {
  return value.split(',').map((name) => {
    const route = routeNames.find((known) => known === name)
    if (route === undefined) throw new InvalidArgumentError(`They must be some of ${routeNames.join(', ')}.`)
    return route
  })
}
