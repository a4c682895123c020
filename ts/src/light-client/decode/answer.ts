/** From an endpoint's answer to light-client objects in SSZ, whatever form the answer has. */
import { isBoundedJson } from '../../beacon/json-bounds.ts'
import type { Portable } from '../../util/portable.ts'
import { recordOf, Refused } from '../../beacon/ssz/fields.ts'
import type { BeaconAnswer } from '../../beacon/request.ts'
import { type ForkIndex, forkOfObject, type Forks, forkOfVersion } from './fork.ts'
import { beaconHeader, type ObjectKind, objectSsz } from './json.ts'
import { splitStream } from './stream.ts'
import { Undecodable } from './undecodable.ts'

/** An object in the containers of its fork, not yet looked into. */
export interface LightClientObject {
  readonly fork: ForkIndex
  readonly ssz: Uint8Array<ArrayBuffer>
}

/** The one object of an answer. Throws `Undecodable`. */
export function decodeObject(kind: ObjectKind, answer: BeaconAnswer, forks: Forks): LightClientObject {
  if (answer.form === 'json') return reading(() => versioned(kind, parse(answer), answer.version))
  const fork = answer.version === null ? forkOfObject(answer.body, forks) : forkOfVersion(answer.version)
  return { fork, ssz: answer.body }
}

/** The updates of an answer up to the first that cannot be read, and why that one cannot. */
export interface ReadableUpdates {
  readonly updates: readonly LightClientObject[]
  readonly rest: Undecodable | null
}

/** The updates of an answer, at most `maxCount`. Throws `Undecodable` where not even the first can be read. */
export function decodeUpdates(answer: BeaconAnswer, maxCount: number, forks: Forks): ReadableUpdates {
  if (answer.form === 'ssz') {
    return whileReadable(splitStream(answer.body, maxCount), ({ digest, ssz }) => {
      const fork = forks.ofDigest(digest)
      if (fork === null) throw new Undecodable("a fork digest that is not this network's")
      return { fork, ssz: new Uint8Array(ssz) }
    })
  }
  return reading(() => {
    const list = parse(answer)
    if (!Array.isArray(list)) throw new Undecodable('not a list of updates')
    if (list.length > maxCount) throw new Undecodable(`more than ${maxCount} updates`)
    return whileReadable(list, (entry) => reading(() => versioned('update', entry as Portable, null)))
  })
}

function whileReadable<T>(entries: readonly T[], read: (entry: T) => LightClientObject): ReadableUpdates {
  const updates: LightClientObject[] = []
  for (const entry of entries) {
    try {
      updates.push(read(entry))
    } catch (error) {
      if (!(error instanceof Undecodable) || updates.length === 0) throw error
      return { updates, rest: error }
    }
  }
  return { updates, rest: null }
}

/** The header of an answer to `/eth/v1/beacon/headers/{id}`, 112 bytes. Throws `Undecodable`. */
export function decodeHeader(answer: BeaconAnswer): Uint8Array<ArrayBuffer> {
  if (answer.form !== 'json') throw new Undecodable('headers have no SSZ form')
  return reading(() => {
    const data = recordOf(recordOf(parse(answer), 'bad-json')['data'], 'bad-json')
    return beaconHeader(recordOf(data['header'], 'bad-json')['message'])
  })
}

function versioned(kind: ObjectKind, json: Portable, header: string | null): LightClientObject {
  const { version = header, data = null } = recordOf(json, 'bad-json')
  if (typeof version !== 'string') throw new Undecodable('an object without a version')
  const fork = forkOfVersion(version)
  return { fork, ssz: objectSsz(kind, fork, data) }
}

function parse(answer: BeaconAnswer): Portable {
  if (!isBoundedJson(answer.body)) throw new Undecodable('JSON that is too deep, or has too many values')
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(answer.body)) as Portable
  } catch (cause) {
    throw new Undecodable(`not JSON: ${cause instanceof Error ? cause.message.slice(0, 80) : 'unreadable'}`)
  }
}

/** What the readers of fields refuse, as this folder's own error. */
function reading<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw error instanceof Refused ? new Undecodable(`not an object of the API: ${error.message}`) : error
  }
}
