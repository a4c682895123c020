/** What the page has of the embedded block: its sidecars in SSZ, and a proof for each of its cells. Both are made when the page is built. */
import { existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'

const BLOCK = 'holesky_1409759_blob_sidecars'
const PROOFS = 'holesky_1409759_cell.proofs'

/** `folder`: where the block lies as JSON, and what is made of it. What is there and newer than the block is kept. */
export function embeddedBlock(folder: string): Plugin {
  return {
    name: 'embedded-block',
    async buildStart() {
      const [json, ssz, proofs] = [`${BLOCK}.json`, `${BLOCK}.ssz`, PROOFS].map((name) =>
        join(folder, name),
      ) as [string, string, string]
      const isNew = (path: string): boolean =>
        existsSync(path) && statSync(path).mtimeMs >= statSync(json).mtimeMs
      if (!isNew(ssz)) {
        const { sszOf } = await import('../dist/cli/demo/block.js')
        writeWhole(ssz, sszOf(readFileSync(json, 'utf8')))
      }
      if (!isNew(proofs)) writeWhole(proofs, await proveCells(json))
    },
    // The folder is copied beside the page; what all is made of is not needed there.
    writeBundle({ dir = '' }) {
      for (const name of [`${BLOCK}.json`, `${BLOCK}.json.gzip`]) rmSync(join(dir, name), { force: true })
    },
  }
}

/** Builds that go on side by side see a file whole, or not at all. */
function writeWhole(path: string, bytes: Uint8Array): void {
  const part = `${path}.${process.pid}`
  writeFileSync(part, bytes)
  renameSync(part, path)
}

/** 128 proofs of 48 bytes for each blob, in order (`compute_cells_and_kzg_proofs` of EIP-7594). */
async function proveCells(json: string): Promise<Buffer> {
  const { data } = JSON.parse(readFileSync(json, 'utf8')) as { data: { blob: string }[] }
  const { loadProver } = await import('../dist/prover/index.js')
  const prover = await loadProver()
  const proofs = data.map(
    ({ blob }) => prover.computeCellsAndKzgProofs(Buffer.from(blob.slice(2), 'hex')).proofs,
  )
  return Buffer.concat(proofs.flat())
}
