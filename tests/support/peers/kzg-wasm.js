// In the place of the library of that name, with its functions: what the tests of the page measure beside, so that they install no peers.
import { loadKzg } from 'blobcheck/kzg'

export async function loadKZG() {
  const { verifyBlobKzgProofBatch, verifyCellKzgProofBatch } = await loadKzg()
  return { verifyBlobKZGProofBatch: verifyBlobKzgProofBatch, verifyCellKzgProofBatch }
}
