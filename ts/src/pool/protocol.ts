/** What passes between the calling thread and a worker. Types alone: everything here can be cloned. */
import type { Portable } from '../bytes/portable.ts'
import type { InvalidReason, MalformedReason } from '../verdict/reasons.ts'
import type { Links } from '../verdict/verdict.ts'
import type { KernelName } from '../wasm/kernel.ts'

/** What one caller handed over for verification, still unread. */
export interface Delivery {
  readonly kind: 'blob' | 'cell' | 'blob-sidecar' | 'data-column-sidecar' | 'transaction'
  readonly item: Portable
}

/** What deliveries are checked against, besides themselves. */
export type Anchor =
  | { readonly kind: 'none' }
  /** 112 bytes of SSZ header, or the 32 bytes of its root. */
  | { readonly kind: 'header'; readonly header: Uint8Array }
  /** Lower-case hex digits, without prefix. */
  | { readonly kind: 'versioned-hashes'; readonly hashes: readonly string[] }
  | { readonly kind: 'commitments'; readonly commitments: readonly string[] }

export interface CheckRequest {
  readonly deliveries: readonly Delivery[]
  readonly anchor: Anchor
  /** See `networkWords`. */
  readonly network: BigUint64Array
  /** The execution fork whose rules a transaction must follow. */
  readonly fork: 0 | 1 | 2
}

/** Why an item was refused, before or by KZG. */
export type Refusal =
  | {
      readonly status: 'invalid'
      readonly stage: 'versioned-hash' | 'inclusion' | 'anchor' | 'kzg'
      readonly reason: InvalidReason
    }
  | {
      readonly status: 'malformed'
      readonly stage: 'structure' | 'encoding'
      readonly reason: MalformedReason
    }

/**
 * The byte string that is deduplicated, cached, batched and verified (crates/kzg, `unit`), and its digest in hex, which
 * is its identity everywhere.
 */
export interface Unit {
  readonly digest: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** A delivery after the cheap checks: refused, or with a unit for KZG; a transaction has one of these for each blob. */
export type Checked =
  | { readonly links: Links; readonly refusal: Refusal }
  | { readonly links: Links; readonly unit: Unit }
  | { readonly links: Links; readonly digest: string; readonly blobs: readonly Checked[] }

/** What KZG says of a unit. */
export type KzgOutcome = 'valid' | Refusal

/** The partial sums of a group of units, and the units that are malformed and therefore not in it. */
export interface Collected {
  /** `null`: in the accumulator. */
  readonly refusals: readonly (Refusal | null)[]
  readonly accumulator: Uint8Array<ArrayBuffer>
}

/** How a worker is set up, once. */
export interface Setup {
  readonly kernel: KernelName
  readonly module: WebAssembly.Module
  /** The name of the lock that the worker holds while it lives (Web Locks), or null where there are none. */
  readonly lifeline: string | null
}

/** What a worker does. It keeps no state between calls but its WASM instances. */
export interface WorkerApi {
  /** False if the kernel's known-answer probe fails on this thread. */
  setUp(setup: Setup): Promise<boolean>
  /** Splits the text of a Beacon API answer into its sidecars. */
  parse(kind: Delivery['kind'], text: string): Portable[]
  /** Parses, checks structure, hashes, branches and anchor; everything that is cheap. */
  check(request: CheckRequest): Checked[]
  /** Partial sums with coefficients expanded from a 32-byte seed. */
  collect(units: readonly Uint8Array[], seed: Uint8Array): Collected
  /** Adds up accumulators and answers with one pairing. */
  close(accumulators: readonly Uint8Array[]): boolean
  /** Collects, closes, and finds the guilty: a verdict for each unit. */
  verify(units: readonly Uint8Array[], seed: Uint8Array): KzgOutcome[]
  /** Verifies one by one with the baseline module, which is trusted over every other. */
  confirm(units: readonly Uint8Array[], baseline: WebAssembly.Module): Promise<KzgOutcome[]>
  /** Compiles, tiers up, primes tables; changes no state that anyone can see. */
  warmUp(): void
}
