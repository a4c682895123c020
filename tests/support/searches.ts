/**
 * A search for blobs where nothing is real but the search: the nodes, files and verifier of `sample-context.ts`, and a cache, headers and workers that
 * do what a test has them do.
 */
import type { Verifier } from 'blobcheck'
import type { BlobCache, BlobsResult, HeaderSource } from 'blobcheck/blobs'
import { answerFrom } from '../../dist/blobs/answer.js'
import type { Call } from '../../dist/blobs/context.js'
import { Search, type SearchTarget } from '../../dist/blobs/search.js'
import { CRASHED } from '../../dist/runtime/errors.js'
import { Shares } from '../../dist/blobs/shares.js'
import { startAtTarget } from '../../dist/blobs/start.js'
import { hashOfCommitment } from '../../dist/blobs/wanted.js'
import { quietly } from './blob-sources.ts'
import type { chainParts } from './sampled-chain.ts'
import { commitments, type Question, sceneOf, type World } from './sample-context.ts'

export interface BlobWorld extends World {
  /** A chain in the place of the block of `sample-context.ts`. */
  readonly chain?: ReturnType<typeof chainParts>
  readonly headers?: HeaderSource
  /** A verifier in the place of the one that goes by marks. */
  readonly verifier?: Verifier
  readonly cache?: BlobCache
  /** What a worker makes of the cells of a blob, for each that is rebuilt; null: it crashes, as it does over JSON then. */
  readonly rebuild?: (columns: Uint32Array, cells: Uint8Array) => Uint8Array | null
}

/** Of a call, in milliseconds. */
const DEADLINE_MS = 60_000

/** The versioned hashes of a block with so many blobs. */
export const hashes = (count: number): string[] => commitments(count).map(hashOfCommitment)

/** A call in such a world, a search for all blobs of the block in it, and what was asked of whom. */
export function callIn(world: BlobWorld = {}): {
  readonly call: Call
  readonly target: SearchTarget
  readonly asked: readonly Question[]
} {
  const { context, asked } = sceneOf(world)
  const { header, until } = context
  const { cache = null, chain = { parts: context.parts, asked }, headers, rebuild, signal, verifier } = world
  const { fallbacks, random: _random, ...parts } = chain.parts
  const attemptTwice = async (task: (api: object) => unknown): Promise<unknown> =>
    (await task({ rebuild, parse: () => null })) ?? CRASHED
  const beganAt = performance.now()
  const call: Call = {
    parts: {
      ...{ ...parts, archives: fallbacks.archives, files: fallbacks.files, cache, execution: null },
      ...(headers && { headers }),
      ...(verifier && { verifier }),
      ...(rebuild && { pool: { workers: 1, attemptTwice } as never }),
    },
    ...{ signal, until, beganAt, endsAt: beganAt + DEADLINE_MS },
    ...{ shares: new Shares(until), notify: () => {} },
  }
  const { root, slot } = header
  return { call, target: { selection: 'all', header, name: root, slot }, asked: chain.asked }
}

/** A search in such a world, for what is said of it, and its call. */
export function searchIn(
  world: BlobWorld = {},
  more: Partial<SearchTarget> = {},
): { readonly search: Search; readonly call: Call } {
  const { call, target } = callIn(world)
  return { search: new Search(call, { ...target, ...more }), call }
}

/** What comes of such a search, and what was asked meanwhile. `shareMs`: as of `answerFrom`. */
export async function resultIn(
  world: BlobWorld = {},
  more: Partial<SearchTarget> = {},
  shareMs: number | null = null,
): Promise<BlobsResult & { readonly asked: readonly string[] }> {
  const { call, target: all, asked } = callIn(world)
  const target = { ...all, ...more }
  const result = quietly(await answerFrom(call, startAtTarget(target), target.selection, shareMs))
  return { ...result, asked: asked.map(({ what, indices }) => `${what} ${indices.join()}`.trim()) }
}

/** A search by these hashes alone: nothing says of which block they are. */
export const byHashes = (selection: readonly string[]): SearchTarget => ({
  ...{ selection, header: null, name: null, slot: null },
})
