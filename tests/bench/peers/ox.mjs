// ox: c-kzg-4844 compiled to WebAssembly, behind ox's Kzg interface. It has no verification of blobs, only of cells.
import { Setups } from 'ox/trusted-setups'
import { Kzg } from 'ox/wasm'

export async function load() {
  const kzg = await Kzg.create({ trustedSetup: Setups.mainnet })
  return {
    verifyCellKzgProofBatch: kzg.verifyCellKzgProofBatch,
    computeCells: kzg.computeCells,
    blobToKzgCommitment: kzg.blobToKzgCommitment,
    computeCellsAndKzgProofs: (blob) => flat(kzg.computeCellsAndKzgProofs(blob)),
    recoverCellsAndKzgProofs: (indices, cells) => flat(kzg.recoverCellsAndKzgProofs(indices, cells)),
  }
}

const flat = ({ cells, proofs }) => [...cells, ...proofs]
