/** The page stays alive while a blob is proved. How long it takes depends on the machine; that the page's clock goes on does not. */
import { createProver } from 'blobcheck/prover'
import { expect, it } from 'vitest'

it('proofs of cells do not stop the page', async () => {
  const prover = await createProver({ workers: 2 })
  try {
    // Ticks between one step and the next: were a step computed here, there would be none during it. No frames, of which a
    // machine that has better to do may draw none.
    let ticks = 0
    const clock = setInterval(() => ticks++, 1)
    const seen: number[] = []
    const blob = new Uint8Array(131_072).fill(1)
    await prover.computeCellsAndKzgProofs(blob, { onProgress: () => seen.push(ticks) })
    clearInterval(clock)
    expect(seen).toHaveLength(10)
    expect(new Set(seen).size).toBeGreaterThan(2)
  } finally {
    await prover.dispose()
  }
})
