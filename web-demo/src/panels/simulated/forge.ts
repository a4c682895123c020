/** A chain with signatures that are well formed, and false: those of another header. */
import type { Chain, ChainBlock, Encoded } from 'blobcheck/serve'
import { fromHex, toHex } from '../../shared/bytes.ts'
import type { Forgery } from './settings.ts'

/** `forgery` is asked whenever somebody asks the chain. */
export function forging(chain: Chain, forgery: () => Forgery | null): Chain {
  /** A point of G2, as signatures are: the proposer’s signature of a block that nobody asks about at the head. */
  const other = (): Uint8Array => chain.finalized.header.signature
  const block = <B extends ChainBlock | null>(whole: B): B =>
    whole === null || forgery() !== 'signature' ? whole : (withSignature(whole, other()) as B)
  const update = <E extends Encoded | null>(whole: E): E =>
    whole === null || forgery() !== 'committee' ? whole : (withAggregate(whole, other()) as E)
  const { lightClient } = chain
  return except(chain, {
    head: () => block(chain.head),
    at: () => (slot: number) => block(chain.at(slot)),
    byRoot: () => (root: string) => block(chain.byRoot(root)),
    lightClient: () =>
      lightClient &&
      except(lightClient, {
        update: () => (period: number) => update(lightClient.update(period)),
        finalityUpdate: () => (root?: string) => update(lightClient.finalityUpdate(root)),
        optimisticUpdate: () => (root?: string) => update(lightClient.optimisticUpdate(root)),
      }),
  })
}

/** An object as it is, except for the members that `instead` computes. */
function except<T extends object>(whole: T, instead: { readonly [Key in keyof T]?: () => T[Key] }): T {
  return new Proxy(whole, {
    get(_whole, key) {
      const other = instead[key as keyof T]
      if (other !== undefined) return other()
      const value: unknown = Reflect.get(whole, key, whole)
      return typeof value === 'function' ? (value.bind(whole) as unknown) : value
    },
  })
}

function withSignature(block: ChainBlock, signature: Uint8Array): ChainBlock {
  const header = { ...block.header, signature }
  return except(block, {
    header: () => header,
    column: () => (index: number) => ({ ...block.column(index), signed_block_header: header }),
  })
}

interface SignedUpdate {
  readonly sync_aggregate: { readonly sync_committee_signature: string }
}

function withAggregate(update: Encoded, signature: Uint8Array): Encoded {
  const { sync_aggregate } = update.json() as SignedUpdate
  const right = sync_aggregate.sync_committee_signature
  return except(update, {
    json: () => () => ({
      ...(update.json() as SignedUpdate),
      sync_aggregate: { ...sync_aggregate, sync_committee_signature: toHex(signature) },
    }),
    ssz: () => () => {
      const bytes = update.ssz()
      bytes.set(signature, placeOf(fromHex(right), bytes))
      return bytes
    },
  })
}

function placeOf(part: Uint8Array, whole: Uint8Array): number {
  return whole.findIndex((_byte, at) => part.every((byte, offset) => byte === whole[at + offset]))
}
