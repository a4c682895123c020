// rust-eth-kzg's binding for Node: native code. Without precomputed tables, as verification needs none.
import kzg from '@crate-crypto/node-eth-kzg'

export function load() {
  const context = kzg.DasContextJs.create({ usePrecomp: false })
  return {
    verifyBlobKzgProof: (...args) => context.verifyBlobKzgProof(...args),
    verifyBlobKzgProofBatch: (...args) => context.verifyBlobKzgProofBatch(...args),
    verifyCellKzgProofBatch: (...args) => context.verifyCellKzgProofBatch(...args),
    computeCells: (blob) => context.computeCells(blob),
    blobToKzgCommitment: (blob) => context.blobToKzgCommitment(blob),
    computeBlobKzgProof: (...args) => context.computeBlobKzgProof(...args),
    computeCellsAndKzgProofs: (blob) => flat(context.computeCellsAndKzgProofs(blob)),
    recoverCellsAndKzgProofs: (indices, cells) => flat(context.recoverCellsAndKzgProofs(indices, cells)),
  }
}

const flat = ({ cells, proofs }) => [...cells, ...proofs]
