/** The page stays alive while a blob is proved. How long it takes depends on the machine; that the page's clock goes on does not. */
import { createProver } from 'blobcheck/prover'
import { expect, it } from 'vitest'

it('proofs of cells do not stop the page', async () => {
  const prover = await createProver({ workers: 2 })
  try {
    // Frames between one step and the next: were a step computed here, there would be none during it.
    let frames = 0
    let handle = requestAnimationFrame(function frame() {
      frames++
      handle = requestAnimationFrame(frame)
    })
    const seen: number[] = []
    const blob = new Uint8Array(131_072).fill(1)
    await prover.computeCellsAndKzgProofs(blob, { onProgress: () => seen.push(frames) })
    cancelAnimationFrame(handle)
    expect(seen).toHaveLength(10)
    expect(new Set(seen).size).toBeGreaterThan(2)
  } finally {
    await prover.dispose()
  }
})
