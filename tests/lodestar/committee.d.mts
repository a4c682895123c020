export interface Committee {
  readonly pubkeys: readonly Uint8Array[]
  readonly aggregatePubkey: Uint8Array
}

/** The 512 keys of a period. */
export declare function committeeOf(period: number): Committee
