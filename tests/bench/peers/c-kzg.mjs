// c-kzg-4844's own binding for Node: native code, assembly by blst. Without precomputed tables, as verification needs none.
import ckzg from 'c-kzg'

export function load() {
  ckzg.loadTrustedSetup(0)
  return {
    ...ckzg,
    computeCellsAndKzgProofs: (blob) => ckzg.computeCellsAndKzgProofs(blob).flat(),
    recoverCellsAndKzgProofs: (indices, cells) => ckzg.recoverCellsAndKzgProofs(indices, cells).flat(),
  }
}
