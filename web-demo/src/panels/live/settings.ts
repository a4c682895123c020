/** What the visitor asks for, read from the fields of the form. */
import { type NetworkConfig, type NetworkName, networks } from 'blobcheck'
import { parseNetwork } from '../../follow/network.ts'
import { errorMessage } from '../../shared/error-message.ts'

/** The choice in the list of networks for one whose config the visitor gives. */
export const CUSTOM = 'custom'

export interface LiveSettings {
  readonly beacon: readonly string[]
  readonly network: NetworkName | NetworkConfig
  readonly checkpoint: string
}

export interface LiveFields {
  readonly beacon: string
  readonly network: string
  readonly config: string
  readonly checkpoint: string
}

/** A field that cannot be used, and why, in a sentence. */
export class FieldError extends Error {
  readonly field: keyof LiveFields
  constructor(field: keyof LiveFields, message: string) {
    super(message)
    this.field = field
  }
}

/** Throws `FieldError`. */
export function readSettings(fields: LiveFields): LiveSettings {
  const beacon = fields.beacon.split(/\s+/).filter((url) => url !== '')
  if (beacon.length === 0)
    throw new FieldError('beacon', 'Name the endpoint of a Beacon node, such as http://127.0.0.1:5052.')
  if (beacon.length > 16) throw new FieldError('beacon', 'Name 16 endpoints at most.')
  for (const url of beacon) refuseEndpoint(url)
  const network = fields.network === CUSTOM ? readConfig(fields.config) : fields.network
  if (typeof network === 'string' && !isKnown(network))
    throw new FieldError('network', 'Choose one of the networks.')
  const checkpoint = fields.checkpoint.trim()
  if (!/^0x[0-9a-f]{64}$/i.test(checkpoint))
    throw new FieldError('checkpoint', 'The checkpoint is the root of a block: 0x and 64 hex digits.')
  return { beacon, network, checkpoint }
}

/** What a page's address means by a name of a network, in whatever case it is written; null for one that is not in the list. */
export function networkNamed(text: string): NetworkName | typeof CUSTOM | null {
  const name = text.trim().toLowerCase()
  return name === CUSTOM || isKnown(name) ? name : null
}

function isKnown(name: string): name is NetworkName {
  return Object.hasOwn(networks, name)
}

/** Refuses what `fetch` does not take, and what the policy of this page does not let it ask. */
function refuseEndpoint(text: string): void {
  if (hasUser(text)) throw userError()
  if (/^(https?:)?\/*[^/?#]*,|,https?:\/|,$/i.test(text))
    throw new FieldError('beacon', `“${text}” has a comma: put spaces between addresses, not commas.`)
  if (!/^https?:\/\//i.test(text))
    throw new FieldError(
      'beacon',
      `“${text}” is no address: it begins with https:// or http://.${completed(text)}`,
    )
  let url: URL
  try {
    url = new URL(text)
  } catch {
    throw new FieldError('beacon', hasImpossiblePort(text) ? portWords(text) : hostWords(text))
  }
  const { protocol, hostname, username, password } = url
  if (username + password !== '') throw userError()
  const isHere = hostname === 'localhost' || hostname === '127.0.0.1'
  if (protocol === 'https:' || isHere) return
  throw new FieldError(
    'beacon',
    `This page may not ask ${text}: it asks https addresses, and http ones of this machine (localhost, 127.0.0.1).`,
  )
}

/** Whether a user, a password or both come before the host, be it an address or not. Parsers take any number of slashes of either kind there. */
function hasUser(text: string): boolean {
  return /^([^/?#]*(:|\/\/))?\/*[^/?#]*@/.test(text.replaceAll('\\', '/'))
}

/** The address is not said again: it has a secret in it. */
function userError(): FieldError {
  return new FieldError('beacon', 'An address with a user or a password cannot be asked: leave them out.')
}

/** What was probably meant by an address without its beginning, as a sentence behind another one; none where it begins otherwise. */
function completed(text: string): string {
  const rest = text.replace(/^(https?:)?[/\\]*/i, '')
  if (rest === '' || /^[a-z][a-z0-9+.-]*:\//i.test(rest)) return ''
  const isHere = /^(localhost|127\.0\.0\.1)(?![^:/])/i.test(rest)
  return ` Write ${isHere ? 'http' : 'https'}://${rest}.`
}

/** Of an address with `http://` or `https://`. */
function hasImpossiblePort(text: string): boolean {
  const port = /^https?:\/\/[^/?#]*:([^:/?#\]]*)(?:[/?#]|$)/i.exec(text)?.[1]
  return port !== undefined && !(/^[0-9]*$/.test(port) && Number(port) <= 65_535)
}

function portWords(text: string): string {
  return `The port of “${text}” cannot be: ports are numbers up to 65535.`
}

function hostWords(text: string): string {
  return `“${text}” is no address: what stands behind :// is no name of a host.`
}

function readConfig(text: string): NetworkConfig {
  try {
    return parseNetwork(text)
  } catch (error) {
    throw new FieldError('config', `The config of the network cannot be used: ${errorMessage(error)}.`)
  }
}
