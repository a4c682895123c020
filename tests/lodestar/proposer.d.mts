/** The public key, 48 bytes, of a secret one. */
export declare function publicKey(secret: bigint): Uint8Array

/** The proposer's signature over a header (Beacon API JSON), 96 bytes. */
export declare function signHeader(
  message: object,
  terms: {
    readonly secret: bigint
    readonly forkVersion: Uint8Array
    readonly genesisValidatorsRoot: Uint8Array
  },
): Uint8Array
