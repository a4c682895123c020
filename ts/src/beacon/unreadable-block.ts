/** A block that an endpoint gave, and that cannot be read. */
import type { SszError } from './block/errors.ts'
import { BeaconFailure } from './failure.ts'

/** What that is of the endpoint: `malformed`, or where it is of a fork that is not known here, `unsupported-fork`, for which no one is accused. */
export function unreadableBlock({ reason, message }: SszError): BeaconFailure {
  return new BeaconFailure(reason === 'unsupported-fork' ? 'unsupported-fork' : 'malformed', message)
}
