/** What the page and the worker of its simulated node say to each other. */
import type { LabelledNetwork } from 'blobcheck/serve'
import type { NodeFaults, PlainChainOptions } from './settings.ts'

/** `request` brings a port, on which the answer goes out. */
export type ToNode =
  | { readonly kind: 'make'; readonly chain: PlainChainOptions; readonly faults: NodeFaults }
  | { readonly kind: 'faults'; readonly faults: NodeFaults }
  | { readonly kind: 'request'; readonly url: string; readonly headers: Readonly<Record<string, string>> }

export interface MadeNode {
  readonly network: LabelledNetwork
  /** 0x hex of 32 bytes. */
  readonly checkpoint: string
  /** 48 bytes: the public key of every proposer. */
  readonly proposerKey: Uint8Array
}

export type FromNode =
  | { readonly kind: 'proved'; readonly done: number; readonly total: number }
  | { readonly kind: 'made'; readonly made: MadeNode }
  | { readonly kind: 'failed'; readonly why: string }

/** On the port of a request: `next` asks for the next part of the body, `cancel` says that nobody wants the rest. */
export type ToAnswer = 'next' | 'cancel'

/** On the port of a request, first the head, and then a part for each `next`; the end is `end`, or `broken` where the body breaks off. */
export type FromAnswer =
  | {
      readonly kind: 'head'
      readonly status: number
      readonly headers: readonly (readonly [string, string])[]
    }
  | { readonly kind: 'part'; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'end' }
  | { readonly kind: 'broken'; readonly why: string }
