// kzg-wasm: c-kzg-4844 compiled to WebAssembly, hexadecimal strings in and out.
import { loadKZG } from 'kzg-wasm'

export async function load(name) {
  const kzg = await loadKZG(Number(name.split(':')[1] ?? 0))
  return {
    verifyBlobKzgProof: kzg.verifyBlobKZGProof,
    verifyBlobKzgProofBatch: kzg.verifyBlobKZGProofBatch,
    verifyCellKzgProofBatch: kzg.verifyCellKzgProofBatch,
    computeCells: kzg.computeCells,
    blobToKzgCommitment: kzg.blobToKzgCommitment,
    computeBlobKzgProof: kzg.computeBlobKZGProof,
    computeCellsAndKzgProofs: (blob) => kzg.computeCellsAndProofs(blob).flat(),
    recoverCellsAndKzgProofs: (indices, cells) => kzg.recoverCellsAndProofs(indices, cells).flat(),
  }
}
