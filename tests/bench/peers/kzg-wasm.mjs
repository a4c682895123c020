// kzg-wasm: c-kzg-4844 compiled to WebAssembly, hexadecimal strings in and out.
import { loadKZG } from 'kzg-wasm'

export async function load() {
  const kzg = await loadKZG()
  return {
    verifyBlobKzgProof: kzg.verifyBlobKZGProof,
    verifyBlobKzgProofBatch: kzg.verifyBlobKZGProofBatch,
    verifyCellKzgProofBatch: kzg.verifyCellKzgProofBatch,
    computeCells: kzg.computeCells,
    blobToKzgCommitment: kzg.blobToKzgCommitment,
    computeCellsAndKzgProofs: (blob) => kzg.computeCellsAndProofs(blob).flat(),
    recoverCellsAndKzgProofs: (indices, cells) => kzg.recoverCellsAndProofs(indices, cells).flat(),
  }
}
