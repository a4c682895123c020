export interface Committee {
  readonly pubkeys: readonly Uint8Array[]
  readonly aggregatePubkey: Uint8Array
}

/** The 512 keys of a period. */
export declare function committeeOf(period: number): Committee

/** A SyncAggregate over a signing root, by all but the given members. */
export declare function sign(
  committee: Committee,
  signingRoot: Uint8Array,
  absentees?: readonly number[],
): {
  readonly syncCommitteeBits: { readonly uint8Array: Uint8Array }
  readonly syncCommitteeSignature: Uint8Array
}
