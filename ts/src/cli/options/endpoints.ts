/** Options that take URLs of endpoints, and the address where a command listens. */
import { type Command, InvalidArgumentError, Option } from '../../vendor/commander.ts'

/** `--host`, for a command that listens. */
export function hostOption(): Option {
  return new Option('--host <address>', 'where to listen').argParser(readHost).default('127.0.0.1')
}

/** Refuses what says nothing: Node.js would listen on all interfaces, as after `--host "$UNSET"`. */
function readHost(value: string): string {
  if (value.trim() === '')
    throw new InvalidArgumentError(
      'It must be an address; 0.0.0.0 and :: are all interfaces of this machine.',
    )
  return value
}

/** `--beacon`, for a command whose endpoints are not trusted. */
export function beaconOption(
  command: Command,
  description: string = 'Beacon API endpoints; none of them is trusted',
): Option {
  return endpointsOption(command, '-b, --beacon <url...>', description)
}

/** `--archive`; what the archives are there for is said in `description`. */
export function archiveOption(command: Command, description: string): Option {
  return endpointsOption(command, '--archive <url...>', description)
}

/** `--execution`. */
export function executionOption(command: Command): Option {
  return endpointsOption(
    command,
    '-e, --execution <url...>',
    'JSON-RPC of execution nodes, which say what block a transaction is in; none of them is trusted',
  )
}

/**
 * An option with URLs of endpoints. A URL may hold a password or a key: what is wrong with one is said without them, as commander would not.
 */
function endpointsOption(command: Command, flags: string, description: string): Option {
  const option = new Option(flags, description)
  return option.argParser((value: string, before: readonly string[] = []) => {
    const fault = endpointFault(value, option.long!)
    if (fault !== null)
      command.error(`error: option '${flags}' argument '${withoutSecrets(value)}' is invalid. ${fault}`)
    return [...before, value]
  })
}

/** What to do about what is no URL of an endpoint; null where it is one. */
function endpointFault(value: string, name: string): string | null {
  const url = URL.canParse(value) ? new URL(value) : null
  if (/,\s*https?:/.test(value) || (url?.hostname ?? value).includes(','))
    return `Give ${name} once for each.`
  if (url !== null && /^https?:$/.test(url.protocol)) {
    if (url.username + url.password !== '') return 'A URL with a user or password cannot be fetched.'
    // Every path of the Beacon API begins so, and is put behind the URL. Of JSON-RPC there is one path, which may be any.
    const [, route = null] = /(\/eth\/v\d+)(?:\/|$)/.exec(url.pathname) ?? []
    return route === null || name === '--execution'
      ? null
      : `Give the base URL: leave ${route} away, and what is behind it.`
  }
  const meant = `http://${withoutSecrets(value)}`
  const isWithoutScheme = !value.includes('://') && URL.canParse(meant)
  return isWithoutScheme ? `Write ${meant}, or the same with https.` : 'It must be an http(s) URL.'
}

/** Without user, password and query, and with `…` for each path: providers put keys there. */
function withoutSecrets(urls: string): string {
  const shown = (url: string): string => {
    const [, place = '', path = ''] = /^(\s*(?:[a-z]+:)?[/\\]*[^/\\?#]*)([^?#]*)/i.exec(url) ?? []
    return place + (path.length > 1 ? '/…' : path)
  }
  return urls
    .replace(/^([a-z]+:[/\\]+)?.*@/is, '$1')
    .split(',')
    .map(shown)
    .join(',')
}
