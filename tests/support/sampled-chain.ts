/** A chain that is made up, of all forks, and the parts of a sampler on it: its source of headers, its blocks as they are read, and its nodes. */
import { networks } from 'blobcheck'
import type { HeaderSource, Resolution, SampledHeader } from 'blobcheck/sampler'
import { resolveNetwork } from '../../dist/beacon/vetted-network.js'
import { DataSchedule } from '../../dist/block-data/schedule.js'
import type { SamplerParts } from '../../dist/sampler/context.js'
import { vouchFor } from '../../dist/verdict/provenance.js'
import { fromHex, toHex } from './bytes.ts'
import { type Node, type Question, sceneOf } from './sample-context.ts'

const config = {
  ...networks.plataberget,
  forkEpochs: { deneb: 10, electra: 20, fulu: 30, gloas: 40, unheardOf: 50 },
  blobSchedule: [{ epoch: 30, maxBlobsPerBlock: 3 }],
}
export const network = resolveNetwork(config)
/** The most blobs of a block since Fulu. */
export const MOST = 3
/** The first slots of what forks there are, by the form of their data. */
export const firstOf = { none: 0, blobs: 10 * 32, columns: 30 * 32, bids: 40 * 32, unknown: 50 * 32 } as const

/** 32 bytes of one value, as a root or a hash. */
export const word = (value: number): string => toHex(new Uint8Array(32).fill(value))

/** A block of Gloas; hashes are by one value. */
export interface Block {
  readonly slot: number
  readonly root: string
  readonly parentRoot?: string
  /** The payload that it builds on, and its own. */
  readonly builtOn?: number
  readonly promised?: number
  readonly blobs?: number
}

export const headerOf = ({ slot, root }: Pick<Block, 'root' | 'slot'>): SampledHeader => ({ slot, root })

/** A header that a light client has verified, as far as it is said; of so many blobs, where that is known. */
export function vouched(
  { slot, root }: Pick<Block, 'root' | 'slot'>,
  blobs: number | null = null,
  links: Partial<Parameters<typeof vouchFor>[1]['links']> = {},
): SampledHeader {
  const execution = blobs === null ? null : { blobGasUsed: blobs * 2 ** 17 }
  const header = { slot, root, execution, parentExecutionBlockHash: null } as unknown as SampledHeader
  // Its own root is not computed: it is known by the last of its fields.
  const ssz = new Uint8Array(112)
  new DataView(ssz.buffer).setBigUint64(0, BigInt(slot), true)
  ssz.set(fromHex(root), 80)
  vouchFor(header, {
    ssz,
    links: { header: 'verified', 'sync-committee': 'verified', checkpoint: 'verified', ...links },
    genesisValidatorsRoot: fromHex(network.signing!.genesisValidatorsRoot),
  })
  return header
}

interface Chain {
  /** What the source of headers says of slots. */
  readonly resolve?: (slot: number) => Promise<Resolution> | Resolution
  readonly heads?: HeaderSource['headers']
  /** By the clock, it is this slot. */
  readonly now?: number
  /** Blocks as the module that reads them says they are. */
  readonly blocks?: readonly Block[]
  /** What a node says to any question but one for a block. */
  readonly node?: Node
  /** What a node does before it gives a block, and the bytes of that. */
  readonly giveBlock?: () => Promise<Uint8Array<ArrayBuffer>> | Uint8Array<ArrayBuffer> | number
}

const nowhere: Resolution = { status: 'no-block' }

/** The parts; which slots the source was asked for; and what the nodes were asked for. */
export function chainParts(chain: Chain): {
  readonly parts: SamplerParts
  readonly lookedUp: number[]
  readonly asked: readonly Question[]
} {
  const { resolve = () => nowhere, heads, now = firstOf.unknown, blocks = [], node = () => 404 } = chain
  const { giveBlock = () => new Uint8Array(5) } = chain
  const lookedUp: number[] = []
  const scene = sceneOf({
    nodes: { a: (question) => (question.what === 'block' ? giveBlock() : node(question)) },
  })
  const read = async ({ header }: { header: { header: Uint8Array } }): Promise<unknown> => {
    const root = toHex(header.header.slice(-32))
    const block = blocks.find((one) => one.root === root)
    if (block === undefined) throw new Error(`a block that there is not: ${root}`)
    const { slot, parentRoot = word(0), builtOn = 0, promised = 0, blobs = 0 } = block
    const ssz = new Uint8Array(112)
    new DataView(ssz.buffer).setBigUint64(0, BigInt(slot), true)
    ssz.set(fromHex(parentRoot), 16)
    const bid = new Uint8Array(224).fill(builtOn, 0, 32).fill(promised, 64, 96)
    const commitments = Array.from({ length: blobs }, (_, at) =>
      toHex(new Uint8Array(48).fill(at + 1)).slice(2),
    )
    return { header: ssz, commitments, blockHash: new Uint8Array(0), bid }
  }
  const headers: HeaderSource = {
    resolve: async (id) => {
      lookedUp.push(Number(id))
      return await resolve(Number(id))
    },
    ...(heads && { headers: heads }),
  }
  const parts: SamplerParts = {
    ...scene.context.parts,
    ...{ network, headers, schedule: new DataSchedule(network), blocks: { read } as never },
    now: () => (network.genesisTime + 12 * now) * 1_000,
  }
  return { parts, lookedUp, asked: scene.asked }
}
