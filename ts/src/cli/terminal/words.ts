/** Numbers, links and errors in the words that all commands use. */
import { BeaconUnavailableError } from '../../beacon/failure.ts'
import { printable } from '../../util/printable.ts'
import type { BlobLinks } from '../../blobs/result.ts'
import type { LinkState } from '../../verdict/verdict.ts'
import { Lines, type Output } from './output.ts'

/** With commas: 1,073,741,824. */
export function grouped(value: number): string {
  return value.toLocaleString('en-GB', { maximumFractionDigits: 0 })
}

/** `1 column`, `2 columns`. */
export function counted(count: number, one: string, many: string = `${one}s`): string {
  return `${grouped(count)} ${count === 1 ? one : many}`
}

/** Bytes in three digits or so, by powers of 1,000: `0.54 MB`. */
export function size(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`
  return bytes < 1_000_000 ? `${short(bytes / 1_000)} KB` : `${short(bytes / 1_000_000)} MB`
}

/** Milliseconds, as seconds from one second on. */
export function duration(ms: number): string {
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${short(ms / 1_000)} s`
}

function short(value: number): string {
  return value < 10 ? value.toFixed(1) : grouped(value)
}

const DIGITS = '⁰¹²³⁴⁵⁶⁷⁸⁹'

/** The digits of a non-negative integer, raised. */
export function raised(value: number): string {
  return Array.from(String(value), (digit) => DIGITS[Number(digit)] ?? digit).join('')
}

/** A probability as `1 in …`, rounded to the side of the greater one. */
export function oneIn(probability: number): string {
  const times = Math.floor(1 / probability)
  if (times <= Number.MAX_SAFE_INTEGER) return `1 in ${grouped(times)}`
  const exponent = Math.floor(Math.log10(1 / probability))
  // Truncated, not rounded: no more certain than it is.
  const mantissa = Math.floor((1 / probability / 10 ** exponent) * 10) / 10
  return `1 in ${mantissa.toFixed(1)} × 10${raised(exponent)}`
}

/** What each link connects. */
const meanings: Readonly<Record<keyof BlobLinks, string>> = {
  kzg: 'the data’s commitment (KZG)',
  'versioned-hash': 'the commitment’s versioned hash',
  transaction: 'the transaction’s place in its execution block',
  'execution-block': 'the execution block’s place in a beacon block',
  inclusion: 'the commitment’s place in a block',
  header: 'the block’s place in the chain',
  signature: 'its proposer’s signature',
  'sync-committee': 'a sync committee’s signature',
  checkpoint: 'the way from a checkpoint',
}

const titles: readonly (readonly [LinkState, string])[] = [
  ['verified', 'verified'],
  ['trusted', 'on trust'],
  ['absent', 'not verified'],
]

/** What was verified, what was taken on somebody's word, and what nobody looked at: a sentence for each state that there is. Links that are left out are not told of. */
export function linksInWords(links: Partial<BlobLinks>): string[] {
  const names = Object.keys(meanings) as (keyof BlobLinks)[]
  return titles.flatMap(([state, title]) => {
    const those = names.filter((name) => links[name] === state)
    return those.length === 0 ? [] : [`${title}: ${those.map((name) => meanings[name]).join('; ')}`]
  })
}

/** Prints an error that keeps a command from going on, with what can be done about it where that is known. */
export function printError(stderr: Output, error: Error): void {
  printWarning(stderr, messageOf(error))
}

/** Prints what a command goes on in spite of. */
export function printWarning(stderr: Output, text: string): void {
  new Lines(stderr).print(`blobcheck: ${printable(text)}`, '  ')
}

/** An error's message, with what can be done about it where that is known. */
export function messageOf(error: Error): string {
  const advice = adviceFor(error)
  return advice === null ? error.message : `${error.message}; ${advice}`
}

function adviceFor(error: Error): string | null {
  if (codeOf(error) === 'EADDRINUSE') return `${portOptions.get(error) ?? '--port'} 0 takes any that is free`
  // An execution node has no other way in than to be posted to.
  if (error instanceof BeaconUnavailableError && error.failures.every(({ kind }) => kind === 'no-route'))
    return 'is that a JSON-RPC endpoint? These have to be of the Beacon API'
  // What is published has it.
  if (error.name === 'SetupUnavailableError' && codeOf(error.cause) === 'ENOENT')
    return 'in a clone, “npm run build” makes it'
  return null
}

/** By what error a port could not be had that another option than `--port` names. */
const portOptions = new WeakMap<Error, string>()

/** Notes the option whose port a server could not have, for what is said of the error. */
export function notePort(error: unknown, option: string): void {
  if (error instanceof Error) portOptions.set(error, option)
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
