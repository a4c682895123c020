/** What the tests of `blobcheck/blobs` share: sources of headers, and that an answer is of one piece and of the chain. */
import type { BlobsResult, HeaderSource } from 'blobcheck/blobs'
import type { Chain, ChainBlock } from 'blobcheck/serve'
import { expect } from 'vitest'
import { versionedHash } from '../../dist/beacon/hashes.js'
import { toHex } from './bytes.ts'

/** The headers of a chain, on trust. */
export function headersFrom(chain: Chain): HeaderSource {
  return {
    async resolve(id) {
      const block =
        id === 'head'
          ? chain.head
          : id === 'finalized'
            ? chain.finalized
            : typeof id === 'number'
              ? chain.at(id)
              : chain.byRoot(id)
      if (block !== null) return { status: 'found', header: { root: block.root, slot: block.slot } }
      const isPast = typeof id === 'number' && id <= chain.head.slot
      return isPast ? { status: 'no-block' } : { status: 'unknown', detail: 'no such block' }
    },
  }
}

/** The same result; what fails about it is printed without megabytes of blobs, which would take minutes. */
export function quietly(result: BlobsResult): BlobsResult {
  for (const one of result.blobs) Object.defineProperty(one, 'blob', { enumerable: false })
  return result
}

/** The versioned hashes of a block's blobs, in order. */
export const hashesOf = ({ blobs }: ChainBlock): string[] =>
  blobs.map(({ commitment }) => toHex(versionedHash(commitment)))

/** That all that is in an answer is the block's own, byte for byte, and that its parts agree. `asked`: places in the block, in order. */
export function expectTrue(
  result: BlobsResult,
  block: ChainBlock,
  asked: readonly number[] = block.blobs.map((_, index) => index),
): void {
  const { blobs, report, verdict, wanted } = result
  for (const { index, blob, commitment, versionedHash: hash } of blobs) {
    const own = block.blobs[index ?? -1]
    expect(own).toBeDefined()
    if (own === undefined) continue
    expect(Buffer.compare(blob, own.blob)).toBe(0)
    expect(commitment).toBe(toHex(own.commitment))
    expect(hash).toBe(toHex(versionedHash(own.commitment)))
  }
  const order = blobs.map(({ index }) => asked.indexOf(index ?? -1))
  expect(order.every((place, at) => place >= 0 && (at === 0 || place > (order[at - 1] ?? 0)))).toBe(true)
  if (verdict === 'complete') expect(blobs.map(({ index }) => index)).toEqual(asked)
  if (verdict === 'partial') {
    expect(blobs.length).toBeGreaterThan(0)
    expect(blobs.length).toBeLessThan(asked.length)
  }
  if (verdict === 'missing' || verdict === 'none' || verdict === 'unknown') expect(blobs).toEqual([])
  if (verdict !== 'unknown' && verdict !== 'none') expect(wanted).toBe(asked.length)
  // Who gave what: each blob has someone who gave it, and nobody gave what is not here.
  const given = new Set(report.sources.flatMap(({ gave }) => gave))
  expect([...given].sort((a, b) => a - b)).toEqual(
    blobs.map(({ index }) => index ?? -1).sort((a, b) => a - b),
  )
  expect(report.via.length > 0).toBe(blobs.length > 0)
  const all = report.sources.reduce((sum, { bytes }) => sum + bytes, 0)
  expect(report.bytes).toBe(all)
  const { blobs: _bytes, ...told } = result
  expect(JSON.parse(JSON.stringify(told))).toEqual(told)
}
