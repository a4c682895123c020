/** What the page says, where it depends on what happened. Codes stay visible: they are what a program looks at. */
import { type InvalidVerdict, type MalformedVerdict, type Verdict, WasmUnavailableError } from 'blobcheck'
import { errorMessage } from './error-message.ts'
import { StalledError } from './watch.ts'

/** The states that a card can be in. */
export type CardState = 'waiting' | 'checking' | 'valid' | 'remembered' | 'rejected' | 'unknown'

export const stateWords: Readonly<Record<CardState, string>> = {
  waiting: 'Waiting',
  checking: 'Checking',
  valid: 'Valid',
  remembered: 'Valid, remembered',
  rejected: 'Rejected',
  unknown: 'No verdict',
}

/** Whether a verdict is that the item is false, or not even an item. */
export function isRefused(verdict: Verdict | undefined | null): verdict is InvalidVerdict | MalformedVerdict {
  return verdict?.status === 'invalid' || verdict?.status === 'malformed'
}

export function stateOf(verdict: Verdict): CardState {
  switch (verdict.status) {
    case 'valid':
      return verdict.via === 'kzg' ? 'valid' : 'remembered'
    case 'invalid':
    case 'malformed':
      return 'rejected'
    case 'unchecked':
    case 'error':
      return 'unknown'
  }
}

export function detailOf(verdict: Verdict): string {
  switch (verdict.status) {
    case 'valid':
      if (verdict.via === 'kzg') return 'Its proof was verified just now'
      if (verdict.via === 'commitment') return 'Its commitment was computed, and is the one that was named'
      return verdict.via === 'cache' ? 'Verified before, byte for byte' : 'Verified with another copy of it'
    case 'invalid':
    case 'malformed':
      return `${rejection(verdict)} (${verdict.stage}: ${verdict.reason})`
    case 'unchecked':
      return `Its proof was not looked at (${verdict.reason})`
    case 'error':
      return `Nothing is known about it (${verdict.reason}): verify again`
  }
}

type Refusal = InvalidVerdict | MalformedVerdict

/** Where the stage says less than the reason does, or something else. */
const reasonWords: { readonly [reason in Refusal['reason']]?: string } = {
  'commitment-not-in-anchor': 'Its commitments are not those that were named',
  'versioned-hash-not-in-anchor': 'Its versioned hashes are not those that were named',
  'unsupported-fork':
    'By the rules of the chosen network there is nothing of this kind in its slot: it may be of another network',
}

const stageWords: Readonly<Record<Refusal['stage'], string>> = {
  kzg: 'Its data does not belong to its commitment',
  inclusion: 'Its commitment is not in the block of the header',
  anchor: 'Its header is not the one that you trust',
  'versioned-hash': 'Its commitment has another versioned hash',
  signature: 'Its header was not signed by its proposer',
  structure: 'It is not built as it should be',
  encoding: 'It holds a value that is no field element, or no point of the curve',
}

function rejection({ stage, reason }: Refusal): string {
  return reasonWords[reason] ?? stageWords[stage]
}

/** In the place of a hash, where there is no WebCrypto: in insecure contexts. */
export const NEEDS_CRYPTO = 'needs https or localhost'

/** What may be the cause where something does not come. */
export const HELD_UP = 'The network, or something between this page and its server, may hold it up.'

/** What went wrong, for the page as a whole. */
export function errorWords(error: unknown): string {
  const message = errorMessage(error)
  if (error instanceof StalledError) {
    return `The verification was given up: ${message}. ${HELD_UP}`
  }
  if (error instanceof WasmUnavailableError && hasWasm() && error.cause instanceof Error) {
    return `The verifier could not be loaded: ${errorMessage(error.cause)}. Nothing was verified. A blocker, or the network, may have stopped it.`
  }
  if (error instanceof WasmUnavailableError) {
    return `This browser cannot verify here: ${message}. It takes WebAssembly with 128-bit SIMD (Chromium 91, Firefox 89, Safari 16.4 or later), and a page that is allowed to use it.`
  }
  return `Something went wrong that is not about the data: ${message}.`
}

/** Whether WebAssembly may be compiled here: the smallest module is. */
function hasWasm(): boolean {
  try {
    return new WebAssembly.Module(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0)) instanceof WebAssembly.Module
  } catch {
    return false
  }
}

/** Made when the first number is shown: that takes milliseconds, and the verifier is started first. */
let formatter: Intl.NumberFormat | undefined

function format(value: number | bigint): string {
  formatter ??= new Intl.NumberFormat('en', { maximumFractionDigits: 0 })
  return formatter.format(value)
}

export function integer(value: number | bigint | string): string {
  return format(BigInt(value))
}

export function milliseconds(ms: number): string {
  return `${ms < 9.95 ? ms.toFixed(1) : format(Math.round(ms))} ms`
}

const small = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine']

export function numberWord(count: number): string {
  return small[count] ?? integer(count)
}

/** Of what somebody typed, or an address brings, as much as a sentence has room for. */
export function shortened(text: string): string {
  return text.length > 24 ? `${text.slice(0, 23)}…` : text
}

export function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1)
}

export function uncapital(words: string): string {
  return words.charAt(0).toLowerCase() + words.slice(1)
}
