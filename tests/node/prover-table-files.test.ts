/** Tables in files: the light client's `FileStorage` is a store for them, too. */
import { FileStorage } from 'blobcheck/light-client'
import { tableBytes } from 'blobcheck/prover'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, it } from 'vitest'
import { range } from '../support/make.ts'
import { blobs } from '../support/prover-blobs.ts'
import { disposeAll, openProver } from '../support/provers.ts'
import { keyOf } from '../support/table-stores.ts'

const folder = await mkdtemp(join(tmpdir(), 'blobcheck-tables-'))
afterEach(disposeAll)
afterAll(() => rm(folder, { recursive: true }))

it('a part of the largest tables that can be kept fits into a file', async () => {
  const store = new FileStorage(folder)
  const part = new Uint8Array(tableBytes({ rows: 8, width: 8 }) / 16)
  part[part.length - 1] = 7
  await store.set(keyOf(15), part)
  expect(Buffer.compare((await store.get(keyOf(15)))!, part)).toBe(0)
  await store.delete(keyOf(15))
})

it('the second process reads what the first one worked out', async () => {
  const prove = async (): Promise<unknown> => {
    const precompute = { rows: 2, width: 4, keep: new FileStorage(folder) } as const
    const prover = await openProver({ workers: 2, precompute })
    const { proofs } = await prover.computeCellsAndKzgProofs(blobs.noise)
    return { tables: prover.tables, proofs }
  }
  const first = await prove()
  const parts = (origin: string): string[] => range(16).map(() => origin)
  expect(first).toMatchObject({ tables: { parts: parts('worked-out'), failures: 0 } })
  expect((await readdir(folder)).sort()).toEqual(
    range(16)
      .map((part) => `${keyOf(part)}.bin`)
      .sort(),
  )
  const { proofs } = first as { proofs: unknown }
  expect(await prove()).toEqual({ tables: { parts: parts('kept'), failures: 0 }, proofs })
  // As a crash in the middle of writing would not leave it, and a full disk might.
  await writeFile(join(folder, `${keyOf(0)}.bin`), new Uint8Array(1000))
  expect(await prove()).toEqual({
    tables: { parts: ['worked-out', ...parts('kept').slice(1)], failures: 0 },
    proofs,
  })
})
