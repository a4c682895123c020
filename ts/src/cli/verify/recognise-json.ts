/** What JSON holds: an answer of the Beacon API, a list, or one sidecar. */
import type { Contents, Kind, Unrecognised } from './contents.ts'
import { UndeterminedError } from './undetermined.ts'

/** The contents of JSON text; `as` says what they are where the caller knows. */
export function recogniseJson(text: string, as: Kind | undefined): Contents | Unrecognised {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    return { kind: null, message: `its JSON cannot be read: ${(error as Error).message}` }
  }
  const items = entriesOf(json)
  if (items.length === 0) throw new UndeterminedError('it is an empty list: there is nothing in it to verify')
  const kind = as ?? kindOf(items[0])
  if (kind !== null) return { kind, form: 'json', isHex: false, items }
  return { kind: null, message: 'it is JSON, and neither sidecars nor blobs' }
}

/** The `data` of an answer, one sidecar or many; else the value itself. */
function entriesOf(json: unknown): readonly unknown[] {
  const data = isRecord(json) && 'data' in json ? json['data'] : json
  return Array.isArray(data) ? (data as unknown[]) : [data]
}

/** Told by a field that the other kinds lack. */
function kindOf(item: unknown): Kind | null {
  if (typeof item === 'string') return /^0x03[c-f]/i.test(item) ? 'transaction' : 'blobs'
  if (!isRecord(item)) return null
  if ('column' in item) return 'data-column-sidecars'
  return 'blob' in item ? 'blob-sidecars' : null
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
