/** As much of the peers as the page about migration shows of them: `npm run bench` installs them, the tests do not. */
declare module 'c-kzg' {
  const ckzg: {
    loadTrustedSetup(precompute: number): void
    verifyBlobKzgProofBatch(blobs: Uint8Array[], commitments: Uint8Array[], proofs: Uint8Array[]): boolean
  }
  export default ckzg
}

declare module 'kzg-wasm' {
  export function loadKZG(precompute?: number): Promise<{
    verifyBlobKZGProofBatch(blobs: string[], commitments: string[], proofs: string[]): boolean
  }>
}
