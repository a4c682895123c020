// In the place of the library of that name, with its functions: what the tests of the page measure beside, so that they install no peers.
import { loadKzg } from 'blobcheck/kzg'

export const trustedSetup = {}

export class KZG {
  async verifyBlobProofBatch(...lists) {
    return (await loadKzg()).verifyBlobKzgProofBatch(...lists)
  }

  async verifyCellKzgProofBatch(...lists) {
    return (await loadKzg()).verifyCellKzgProofBatch(...lists)
  }
}
