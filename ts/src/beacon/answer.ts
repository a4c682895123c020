/** Answers of the Beacon API, decoded. What an endpoint sent that is not what was asked for throws `Undecodable`. */
import type { Portable } from '../util/portable.ts'
import { isBoundedJson } from './json-bounds.ts'
import type { BeaconAnswer } from './request.ts'
import { recordOf, Refused } from './ssz/fields.ts'
import { beaconHeader } from './ssz/light-client-json.ts'
import type { ByteArray } from '../util/platform-types.ts'

/** An answer, or a part of one, that is not what was asked for; callers turn it into a `BeaconFailure` of its kind. */
export class Undecodable extends Error {
  readonly kind: 'malformed' | 'truncated' | 'unsupported-fork'
  constructor(detail: string, kind: Undecodable['kind'] = 'malformed') {
    super(detail)
    this.kind = kind
  }
}

/** The JSON of an answer. Throws `Undecodable` for what is not UTF-8, no JSON, or JSON that would cost far more than it weighs. */
export function parseJson({ body }: BeaconAnswer): Portable {
  if (!isBoundedJson(body)) throw new Undecodable('JSON that is too deep, or has too many values')
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) as Portable
  } catch (cause) {
    throw new Undecodable(`not JSON: ${cause instanceof Error ? cause.message.slice(0, 80) : 'unreadable'}`)
  }
}

/** Reads fields of JSON; where one is missing or of a wrong length (`Refused`), that is an `Undecodable`. */
export function readFields<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw error instanceof Refused ? new Undecodable(`not an object of the API: ${error.message}`) : error
  }
}

/** The header in an answer to `/eth/v1/beacon/headers/{block_id}`: 112 bytes of SSZ. Throws `Undecodable`. */
export function decodeHeader(answer: BeaconAnswer): ByteArray {
  if (answer.form !== 'json') throw new Undecodable('headers have no SSZ form')
  return readFields(() => {
    const data = recordOf(recordOf(parseJson(answer), 'bad-json')['data'], 'bad-json')
    return beaconHeader(recordOf(data['header'], 'bad-json')['message'])
  })
}
