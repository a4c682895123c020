/** Proves the cells of the embedded block when the page is built: 128 proofs of 48 bytes for each blob, in a file beside the block. */
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'

const BLOCK = 'holesky_1409759_blob_sidecars.json'
const PROOFS = 'holesky_1409759_cell.proofs'

/** `folder`: where the block lies. A file of proofs that is there and newer than the block is kept. */
export function cellProofs(folder: string): Plugin {
  return {
    name: 'cell-proofs',
    async buildStart() {
      const [block, proofs] = [join(folder, BLOCK), join(folder, PROOFS)]
      if (existsSync(proofs) && statSync(proofs).mtimeMs >= statSync(block).mtimeMs) return
      const { data } = JSON.parse(readFileSync(block, 'utf8')) as { data: { blob: string }[] }
      const { loadProver } = await import('../dist/prover/index.js')
      const prover = await loadProver()
      const found = data.map(
        ({ blob }) => prover.computeCellsAndKzgProofs(Buffer.from(blob.slice(2), 'hex')).proofs,
      )
      writeFileSync(proofs, Buffer.concat(found.flat()))
    },
  }
}
