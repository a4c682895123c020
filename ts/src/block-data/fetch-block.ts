/**
 * The block itself, where its commitments are wanted: of Gloas, whose columns bring none, and for fallbacks. It is fetched, decoded in a
 * worker, and held against the header, so that who gives another block is found out.
 */
import { readAnchor } from '../verifier/call.ts'
import { BlockMismatchError, SszError } from '../beacon/block/errors.ts'
import { BeaconFailure } from '../beacon/failure.ts'
import type { BeaconAnswer } from '../beacon/request.ts'
import { routes } from '../beacon/routes.ts'
import { unreadableBlock } from '../beacon/unreadable-block.ts'
import { CRASHED } from '../runtime/errors.ts'
import { encodeHex } from '../util/hex.ts'
import { abortable } from '../util/signals.ts'
import type { BlockParts } from './context.ts'
import type { SampledHeader } from './options.ts'
import { anchorOf, type ProvenBlock } from './proven-block.ts'
import { firstCounted } from './requests/first-counted.ts'
import type { Tallies } from './requests/tally.ts'

/**
 * Asks the endpoints for the block of a header, one after the other, until one gives it. `tallies` are told what each of them did. Rejects
 * with `BeaconUnavailableError` where none has it, and with what keeps the module that reads blocks from being loaded.
 */
export async function fetchBlock(
  { endpoints, ...parts }: Pick<BlockParts, 'blocks' | 'endpoints' | 'network'>,
  header: SampledHeader,
  tallies: Tallies,
  until: AbortSignal,
): Promise<ProvenBlock> {
  // The module that reads blocks may be long in coming.
  const test = async (answer: BeaconAnswer): Promise<ProvenBlock> =>
    await abortable(until, () => readBlock(parts, header, answer))
  return await firstCounted(endpoints, routes.block(header.root), test, tallies, until)
}

/** Throws `BeaconFailure` for what is no block, and for another block. */
async function readBlock(
  { blocks, network }: Pick<BlockParts, 'blocks' | 'network'>,
  header: SampledHeader,
  { body, form, version }: BeaconAnswer,
): Promise<ProvenBlock> {
  const source = form === 'ssz' ? body : new TextDecoder().decode(body)
  const anchor = readAnchor(anchorOf(header, { source }), network)
  if (anchor.kind !== 'block') throw new TypeError('an anchor that is no block')
  try {
    const block = await blocks.read(anchor, version)
    if (block === CRASHED) throw new BeaconFailure('crashed', 'two workers in a row crashed on the block')
    return {
      source,
      slot: Number(new DataView(block.header.buffer, block.header.byteOffset).getBigUint64(0, true)),
      parentRoot: hexOf(block.header, 16),
      executionBlockHash: block.blockHash.length === 0 ? null : hexOf(block.blockHash, 0),
      commitments: block.commitments.map((digits) => `0x${digits}`),
      bid:
        block.bid.length === 0
          ? null
          : { parentBlockHash: hexOf(block.bid, 0), blockHash: hexOf(block.bid, 64) },
    }
  } catch (error) {
    if (error instanceof BlockMismatchError)
      throw new BeaconFailure('invalid', 'another block than the one asked for')
    if (error instanceof SszError) throw unreadableBlock(error)
    throw error
  }
}

/** 32 bytes from there on. */
function hexOf(bytes: Uint8Array, from: number): string {
  return `0x${encodeHex(bytes.subarray(from, from + 32))}`
}
