/**
 * What a part of a sampler is called with, where nothing is real but the sampler: nodes that say what a test has them say, and a verifier that
 * goes by marks in the bytes. Columns are drawn in their order, and whoever is named first is asked first, so that each test knows of whom what is asked.
 */
import type { SidecarFile } from 'blobcheck/sampler'
import { afterEach, beforeEach, vi } from 'vitest'
import { BeaconEndpoints } from '../../dist/beacon/endpoints.js'
import { resolveNetwork } from '../../dist/beacon/vetted-network.js'
import { blobSidecar, COMMITMENT_COUNT_AT, dataColumnSidecar } from '../../dist/beacon/ssz/layout.js'
import { DataSchedule } from '../../dist/block-data/schedule.js'
import type { SampleContext } from '../../dist/sampler/context.js'
import type { Finding } from '../../dist/sampler/finding.js'
import type { ColumnOutcome, SampleEvent } from '../../dist/sampler/report.js'
import { BlockOnce } from '../../dist/sampler/block-once.js'
import { type Links, noLinks } from '../../dist/verdict/verdict.js'
import { invented, slots } from './blocks.ts'
import { toHex } from './bytes.ts'
import { SourcedSidecar } from './internals.ts'
import { BLOB_BYTES, CELL_BYTES, range } from './make.ts'
import { listSsz } from './ssz.ts'

type Bytes = Uint8Array<ArrayBuffer>

beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0))
afterEach(() => void vi.restoreAllMocks())

/**
 * What the verifier says to data. `known`: a cache that outlives the session says so; `crashing`: our own workers do not survive it; `other`: it is
 * of another block.
 */
const truths = ['true', 'known', 'false', 'malformed', 'crashing', 'other'] as const
export type Truth = (typeof truths)[number]

export const MAX_BLOBS = 3
const network = resolveNetwork({ ...invented, blobSchedule: [{ epoch: 200, maxBlobsPerBlock: MAX_BLOBS }] })
const slot = Number(slots.fulu)
const header = { root: `0x${'7'.repeat(64)}`, slot }
/** Of what the verifier finds valid. */
export const verified: Links = { ...noLinks, kzg: 'verified', inclusion: 'verified', header: 'trusted' }

/** The commitments of a block with so many blobs. */
export const commitments = (count: number): string[] =>
  range(count).map((at) => toHex(new Uint8Array(48).fill(at + 1)))

/** A blob of a block, by its place. */
export function blob(at: number, truth: Truth = 'true'): Bytes {
  const bytes = new Uint8Array(BLOB_BYTES)
  bytes.set([truths.indexOf(truth), at])
  return bytes
}

/** A column of a block with so many blobs, whose cells say of which blob they are. */
export function column(index: number, blobs: number, truth: Truth = 'true', ofSlot: number = slot): Bytes {
  const { end } = dataColumnSidecar
  const bytes = new Uint8Array(end + blobs * (CELL_BYTES + 2 * 48))
  const view = new DataView(bytes.buffer)
  const [lists, proofs] = [end + blobs * CELL_BYTES, end + blobs * (CELL_BYTES + 48)]
  view.setUint32(0, index, true)
  view.setUint32(dataColumnSidecar.column, end, true)
  view.setUint32(dataColumnSidecar.kzg_commitments, lists, true)
  view.setUint32(dataColumnSidecar.kzg_proofs, proofs, true)
  view.setUint32(dataColumnSidecar.signed_block_header, ofSlot, true)
  bytes[end - 1] = truths.indexOf(truth)
  for (const at of range(blobs)) {
    bytes.fill(at, end + at * CELL_BYTES, end + (at + 1) * CELL_BYTES)
    bytes.fill(at + 1, lists + at * 48, lists + (at + 1) * 48)
  }
  return bytes
}

/** The sidecar of a blob, of a block that has so many by the branch. */
export function sidecar(
  index: number,
  committed: number,
  truth: Truth = 'true',
  ofSlot: number = slot,
): Bytes {
  const bytes = new Uint8Array(blobSidecar.end)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, index, true)
  bytes.set(blob(index, truth), blobSidecar.blob)
  bytes.fill(index + 1, blobSidecar.kzg_commitment, blobSidecar.kzg_proof)
  view.setUint32(blobSidecar.signed_block_header, ofSlot, true)
  view.setUint32(COMMITMENT_COUNT_AT, committed, true)
  return bytes
}

/** What a node is asked for, in one request. */
export interface Question {
  readonly what: 'columns' | 'sidecars' | 'blobs' | 'block'
  readonly indices: readonly number[]
}
/** What a node answers: SSZ, which may be of a fork that it names; or a status. */
type Answer = Bytes | number | { readonly bytes: Bytes; readonly version: string }
export type Node = (question: Question) => Answer | Promise<Answer>

/** What a node says to a question for one sidecar. One that it refuses has it refuse the whole question. */
export type Manner = (index: number) => Truth | 'lacking' | 'refused'

/**
 * A node that has sidecars of one kind, of a block in that slot. Whatever else it is asked for is refused, which says nothing of the data.
 */
export const giving =
  (what: 'columns' | 'sidecars', blobs: number, manner: Manner, ofSlot: number = slot): Node =>
  (question) => {
    const said = question.indices.map(manner)
    if (question.what !== what || said.includes('refused')) return 400
    const given = question.indices.flatMap((index, at) => {
      const truth = said[at] as Truth
      if (!truths.includes(truth)) return []
      return (what === 'columns' ? column : sidecar)(index, blobs, truth, ofSlot)
    })
    return what === 'columns' ? listSsz(given) : join(given)
  }

/** A node whose answers name a fork that nobody knows, if they have anything. */
export const ofForkToCome =
  (node: Node): Node =>
  async (question) => {
    const answer = await node(question)
    return answer instanceof Uint8Array ? { bytes: answer, version: 'heze' } : answer
  }

/** Parts of the same answer. */
export const join = (parts: readonly Bytes[]): Bytes => new Uint8Array(Buffer.concat(parts))

/** Those that answer in this way, by their names. */
export type Nodes = Readonly<Record<string, Node>>

export interface World {
  readonly nodes?: Nodes
  readonly archives?: Nodes
  readonly files?: readonly SidecarFile[]
  /** Whether the nodes are asked for whole blobs. */
  readonly blobs?: boolean
  readonly sizes?: readonly number[]
  readonly proven?: number | null
  readonly reconstruct?: boolean
  /** The block, where it is known, by what it commits to; and whether it is one of Gloas. */
  readonly block?: { readonly commitments: readonly string[]; readonly isOfGloas?: boolean } | null
  /** The module that reads blocks, where one is asked for. */
  readonly readBlock?: () => Promise<unknown>
  /** What the verifier does before it says anything. */
  readonly verifying?: () => Promise<void>
  readonly signal?: AbortSignal
  readonly until?: AbortSignal
  /** Epochs since the block. */
  readonly age?: number
}

const PATHS = {
  '/eth/v1/debug/beacon/data_column_sidecars/': 'columns',
  '/eth/v1/beacon/blob_sidecars/': 'sidecars',
  '/eth/v1/beacon/blobs/': 'blobs',
  '/eth/v2/beacon/blocks/': 'block',
} as const
/** Far more events than any block has. */
const MANY = 5_000

/** An error for what is likelier than a probability in a plan: each number of missing columns has its own. */
export const errorOf = (missing: number): number => (missing + 1) / 1_000

/** What the module that reads blocks says to a block with such commitments, before Gloas. */
export const readsBlock =
  (committed: readonly string[], ofSlot: number = slot) =>
  async (): Promise<unknown> => {
    const header = new Uint8Array(112)
    new DataView(header.buffer).setUint32(0, ofSlot, true)
    return {
      ...{ header, blockHash: new Uint8Array(0), bid: new Uint8Array(0) },
      commitments: committed.map((digits) => digits.slice(2)),
    }
  }

/** What is sampled with in such a world, what was asked of whom, and what was told. */
export function sceneOf(world: World) {
  const { nodes = {}, archives, sizes = [1], proven = null, reconstruct = false } = world
  const { files = [], blobs = false, block = null, signal, age = 0, verifying = async () => {} } = world
  const asked: (Question & { readonly node: string })[] = []
  const told: SampleEvent[] = []
  const endpointsOf = (all: Nodes): BeaconEndpoints => {
    const fetch = async (text: string): Promise<Response> => {
      const { hostname, pathname, searchParams } = new URL(text)
      const [, what] = Object.entries(PATHS).find(([path]) => pathname.startsWith(path))!
      const question = { what, indices: searchParams.getAll('indices').map(Number) }
      asked.push({ ...question, node: hostname })
      const answer = await all[hostname]!(question)
      if (typeof answer === 'number') return new Response(null, { status: answer })
      const { bytes, version } = answer instanceof Uint8Array ? { bytes: answer, version: null } : answer
      const headers = { 'content-type': 'application/octet-stream' }
      return new Response(bytes, {
        headers: version === null ? headers : { ...headers, 'eth-consensus-version': version },
      })
    }
    const terms = { fetch, timeoutMs: 60_000, now: () => 0, random: () => 0 }
    return new BeaconEndpoints(
      Object.keys(all).map((name) => new URL(`http://${name}`)),
      terms as never,
    )
  }
  const verdictOn = (mark: number): object => {
    const truth = truths[mark]!
    if (truth === 'true') return { status: 'valid', links: verified }
    if (truth === 'known') return { status: 'valid', links: { ...verified, kzg: 'trusted' } }
    if (truth === 'crashing') return { status: 'error', reason: 'worker-crashed', links: noLinks }
    if (truth === 'other') return { status: 'invalid', reason: 'header-mismatch', links: noLinks }
    const reason = truth === 'false' ? 'proof-mismatch' : 'proof-not-in-g1'
    return { status: truth === 'false' ? 'invalid' : truth, reason, links: noLinks }
  }
  const verify =
    (markAt: number) =>
    async (items: readonly unknown[], { signal }: { readonly signal?: AbortSignal }): Promise<object[]> => {
      await verifying()
      signal?.throwIfAborted()
      return items.map((item) => {
        const content = SourcedSidecar.open(item)?.[0] ?? (item as { blob: unknown }).blob
        return verdictOn((content as Bytes)[markAt]!)
      })
    }
  const parts = {
    verifier: {
      verifyBlobs: verify(0),
      verifyBlobSidecars: verify(blobSidecar.blob),
      verifyDataColumnSidecars: verify(dataColumnSidecar.end - 1),
    } as never,
    pool: {
      workers: 1,
      // A blob that says of how many columns, and of which blob, it was rebuilt.
      attemptTwice: async (task: (api: object) => unknown) =>
        await task({
          rebuild: (columns: Uint32Array, cells: Bytes) => Uint8Array.of(columns.length, cells[0]!),
        }),
    } as never,
    blocks: { read: world.readBlock } as never,
    ...{ network, headers: null as never, schedule: new DataSchedule(network) },
    endpoints: endpointsOf(nodes),
    now: () => (network.genesisTime + (slot + 32 * age) * 12) * 1_000,
    random: (bytes: Uint8Array) => void bytes.fill(0),
    fallbacks: { blobs, files, archives: archives === undefined ? null : endpointsOf(archives) },
  }
  const timings = { fetchMs: 0, verifyMs: 0 }
  const context: SampleContext = {
    ...{ parts, header, proven, reconstruct, signal, timings },
    plan: { sizes, errors: sizes.map((_, missing) => errorOf(missing)), maxError: 0.5 },
    block: block && {
      ...{ source: new Uint8Array(9), slot, parentRoot: '', executionBlockHash: null },
      commitments: block.commitments,
      bid: block.isOfGloas === true ? { parentBlockHash: '', blockHash: '' } : null,
    },
    until: world.until ?? signal ?? new AbortController().signal,
    ...{ blockOnce: new BlockOnce(), endsAt: Number.POSITIVE_INFINITY },
    notify: (event) => {
      if (told.push(event) > MANY) throw new Error('it tells of events without end')
    },
  }
  return { context, asked, told, timings }
}

const outcomeOf = (index: number, isThere: boolean): ColumnOutcome => ({
  ...{ index, added: false, attempts: [] },
  ...(isThere
    ? { status: 'verified', reason: null, source: 'http://z' }
    : { status: 'missing', reason: 'not-delivered', source: null }),
})

/** A finding in which four columns of a sample of ten were missing. */
export const lacking = (more: Partial<Finding> = {}): Finding => ({
  ...{ verdict: 'unavailable', reason: 'columns-missing', detail: null, via: 'data-columns', fallback: null },
  confidence: {
    ...{ samples: 10, missing: 4, maxError: 1, bits: 0, certain: false, servers: 1 },
    ...{ maxErrorIfOneLies: 1, contested: [], independent: false, assumption: 'nothing was shown' },
  },
  ...{
    columns: range(10).map((index) => outcomeOf(index, index > 3)),
    endpoints: [],
    links: noLinks,
    commitments: [],
    payload: null,
    blobs: null,
  },
  ...more,
})
