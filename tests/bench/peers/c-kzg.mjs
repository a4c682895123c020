// c-kzg-4844's own binding for Node: native code, assembly by blst. With the precomputed tables that its
// name ends with, or none, as verification needs none.
import ckzg from 'c-kzg'

export function load(name) {
  ckzg.loadTrustedSetup(Number(name.split(':')[1] ?? 0))
  return {
    ...ckzg,
    computeCellsAndKzgProofs: (blob) => ckzg.computeCellsAndKzgProofs(blob).flat(),
    recoverCellsAndKzgProofs: (indices, cells) => ckzg.recoverCellsAndKzgProofs(indices, cells).flat(),
  }
}
