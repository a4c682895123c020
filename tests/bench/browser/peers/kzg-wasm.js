// kzg-wasm: c-kzg-4844 compiled to WebAssembly, hexadecimal strings in and out.
import { loadKZG } from 'kzg-wasm'

export async function load() {
  const kzg = await loadKZG()
  return {
    verifyBlobs: (lists) => kzg.verifyBlobKZGProofBatch(...lists),
    verifyCells: (lists) => kzg.verifyCellKzgProofBatch(...lists),
  }
}
