/** The options that say what files are held against. What makes no sense in them is the command line's fault. */
import { InvalidArgumentError } from '../../vendor/commander.ts'
import type { SszError, SszErrorReason } from '../../beacon/block/errors.ts'
import { type BlockSource, MAX_BLOCK_TEXT } from '../../beacon/block/source.ts'
import { type Header, headerBytes } from '../../beacon/header.ts'
import { UsageError } from '../command.ts'
import { type InputContext, readInput, UndeterminedError } from './input.ts'
import { decodeText, hexIn, parseJson, textIn } from '../text.ts'
import { isHash } from '../../util/hash.ts'

/** A header takes 208 bytes, and less than this in any JSON. */
const MAX_HEADER_BYTES = 2 ** 20

/** `--header`: a root, or a file with a header in one of its forms. Throws `UsageError`, or an `AbortError`. */
export async function readHeader(option: string, context: InputContext): Promise<Header> {
  if (isHash(option)) return option
  try {
    const bytes = await readInput(option, context, MAX_HEADER_BYTES)
    return headerBytes(headerIn(bytes))
  } catch (error) {
    if (!(error instanceof UndeterminedError || error instanceof TypeError || error instanceof SyntaxError))
      throw error
    throw new UsageError(
      `--header ${option}: it is no root (0x and 64 hex digits) and no file with a header: ${error.message}`,
    )
  }
}

/** SSZ, hex digits, or JSON: the header itself, signed, or as the Beacon API answers (`data.header.message`). */
function headerIn(bytes: Uint8Array): Header {
  if (bytes.length === 32 || bytes.length === 112 || bytes.length === 208) return bytes
  const text = decodeText(bytes).trim()
  if (!/^[[{]/.test(text)) return text
  let value = parseJson(text)
  for (const name of ['data', 'header', 'message']) {
    const inner =
      typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : null
    if (typeof inner === 'object' && inner !== null) value = inner
  }
  return value as Header
}

/** What `--block` names. */
export interface BlockFile {
  /** Its path. */
  readonly file: string
  readonly block: BlockSource
}

/**
 * `--block`: a file with a block, as SSZ, hex digits or JSON, which is not looked into yet. Throws `UsageError`, or an `AbortError`.
 */
export async function readBlock(option: string, context: InputContext): Promise<BlockFile> {
  try {
    const bytes = await readInput(option, context, MAX_BLOCK_TEXT)
    const text = textIn(bytes)
    return { file: option, block: text === null ? bytes : (hexIn(text) ?? text) }
  } catch (error) {
    if (!(error instanceof UndeterminedError)) throw error
    throw new UsageError(`--block ${option}: it cannot be taken for a block: ${error.message}`)
  }
}

const faults: Readonly<Record<SszErrorReason, string>> = {
  length: 'it has too few bytes, or too many',
  offset: 'an offset leads to where it must not',
  limit: 'it is longer than it may be',
  bits: 'its bits do not end where they must',
  boolean: 'it is neither 0 nor 1',
  json: 'its JSON cannot be read',
  'missing-field': 'a field is missing',
  'unknown-field': 'a block has no such field',
  type: 'it is of another type',
  'unsupported-fork': 'its fork is before Deneb, is not known here, or has not begun in its slot',
  'fork-mismatch': 'it says of itself another fork than that of its slot',
}

/** Why the file of `--block` is no block of the network, as an error of the command line. */
export function blockRefused({ file }: BlockFile, { path, reason }: SszError): UsageError {
  const where = path === '' ? '' : `${path}: `
  return new UsageError(`--block ${file}: it is no block of --network: ${where}${faults[reason]}`)
}

/** `--versioned-hashes`: a list with commas; may be said several times. */
export function readVersionedHashes(value: string, before: readonly string[] = []): readonly string[] {
  const hashes = value.split(',').map((hash) => hash.trim())
  for (const hash of hashes)
    if (!/^0x01[0-9a-f]{62}$/i.test(hash))
      throw new InvalidArgumentError(
        'A versioned hash is 0x01 and 62 hex digits; commas stand between several.',
      )
  return [...before, ...hashes]
}

/** `--proposer-key`: a compressed point of G1. Whether it is one is for the verifier to say. */
export function readProposerKey(value: string): string {
  if (!/^0x[0-9a-f]{96}$/i.test(value)) throw new InvalidArgumentError('It must be 0x and 96 hex digits.')
  return value
}
