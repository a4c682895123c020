/**
 * What a light client throws, and the reasons for which its module refuses something. An error accuses no one: which endpoint did what
 * is in the report. The names of reasons come from the `Reason` enum of crates/light-client, whose numbers the module throws; a
 * test holds this file against it.
 */
import { BeaconUnavailableError, type FailureKind, isTransient } from '../beacon/failure.ts'

/**
 * The checkpoint, or what was final when the client was synchronised last, is older than the weak-subjectivity period:
 * validators who have left since could have signed another chain, at no cost to them, and nothing in the protocol would
 * show it. Begin with a newer checkpoint, or say `allowStale: true`. By a clock that is fast, what is new looks old, too.
 *
 * @example
 * ```ts
 * import { LightClient, StaleCheckpointError } from 'blobcheck/light-client'
 *
 * const options = { network: 'mainnet', checkpoint: '0x…', beacon: [beacon] } as const
 * const client = await LightClient.fromCheckpoint(options).catch((error: unknown) => {
 *   if (error instanceof StaleCheckpointError) console.warn(`${error.ageEpochs} epochs old: begin with a newer one`)
 *   throw error
 * })
 * await client.dispose()
 * ```
 */
export class StaleCheckpointError extends Error {
  override readonly name = 'StaleCheckpointError'
  /** How old the checkpoint is, in epochs. */
  readonly ageEpochs: number
  /** The age from which on it is refused, in epochs. */
  readonly limitEpochs: number
  constructor(ageEpochs: number, limitEpochs: number) {
    super(
      `what is trusted is ${ageEpochs} epochs old, more than the weak-subjectivity period of ${limitEpochs}: begin with a newer checkpoint; or this machine's clock is fast`,
    )
    this.ageEpochs = ageEpochs
    this.limitEpochs = limitEpochs
  }
}

/**
 * A function of `LightClientSpec` refused an update, a bootstrap or a store; `reason` says why.
 *
 * @example
 * ```ts
 * import { LightClientError, loadLightClientSpec } from 'blobcheck/light-client'
 *
 * const spec = await loadLightClientSpec({ network: 'mainnet' })
 * try {
 *   spec.initializeLightClientStore(header, { version: 'deneb', ssz: new Uint8Array(8) })
 * } catch (error) {
 *   if (error instanceof LightClientError) console.log('refused:', error.reason)
 * }
 * ```
 */
export class LightClientError extends Error {
  override readonly name = 'LightClientError'
  /** Which rule of the protocol was broken. */
  readonly reason: LightClientReason
  constructor(reason: LightClientReason) {
    super(reason)
    this.reason = reason
  }
}

/** Every reason that the module can give. */
export type LightClientReason =
  | 'network-config'
  | 'unsupported-fork'
  | 'object-length'
  | 'object-offsets'
  | 'store-encoding'
  | 'store-network'
  | 'too-many'
  | 'trusted-root-mismatch'
  | 'parent-mismatch'
  | 'execution-unexpected'
  | 'execution-mismatch'
  | 'current-committee-mismatch'
  | 'next-committee-mismatch'
  | 'next-committee-unproven'
  | 'finality-mismatch'
  | 'finality-unproven'
  | 'no-participants'
  | 'signature-in-future'
  | 'slot-order'
  | 'period-unknown'
  | 'not-relevant'
  | 'next-committee-conflict'
  | 'period-skipped'
  | 'committee-keys'
  | 'signature-mismatch'

/** What an endpoint did whose answer was refused for a reason. What may be honest accuses nobody. */
export function failureOf(reason: LightClientReason): FailureKind {
  switch (reason) {
    // True, perhaps; of another time than ours.
    case 'not-relevant':
    case 'period-unknown':
    case 'period-skipped':
      return 'behind'
    case 'signature-in-future':
      return 'ahead'
    case 'unsupported-fork':
      return 'unsupported-fork'
    case 'object-length':
    case 'object-offsets':
    case 'too-many':
      return 'malformed'
    // Our own fault, or our storage's.
    case 'network-config':
    case 'store-encoding':
    case 'store-network':
      return 'crashed'
    default:
      return 'invalid'
  }
}

/** Failures of endpoints that said what is false, or that serve no light clients. */
export const outOfPlay: ReadonlySet<FailureKind> = new Set([
  'invalid',
  'malformed',
  'not-found',
  'no-route',
  'refused',
] as const)

/**
 * Adds to the message of an error what may be wrong on this side, where each endpoint failed in such a way: they may all be right. Passing
 * failures, as of one that is down, say nothing about that.
 */
export function suspect(
  error: unknown,
  isSo: (failure: BeaconUnavailableError['failures'][number]) => boolean,
  what: string,
): void {
  if (!(error instanceof BeaconUnavailableError)) return
  const telling = error.failures.filter(({ kind }) => !isTransient(kind))
  if (telling.length > 0 && telling.every(isSo)) error.message += `; ${what}`
}

/** Adds to the message of an error that our own clock may be slow, where each endpoint was ahead of it, or fast, where each was behind. */
export function suspectClock(error: unknown): void {
  suspect(error, ({ kind }) => kind === 'ahead', "or this machine's clock is slow")
  suspect(error, ({ kind }) => kind === 'behind', "or this machine's clock is fast")
}
