/**
 * Reading test data, on the side that has a file system: `vectors.ts` calls these directly in Node, and through Vitest's
 * commands in the browser.
 */
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Where the vectors are, or null in a plain clone. `CI=true` without them is an error, not a skip. */
export function vectorsFolder(): string | null {
  const folder = process.env['BLOBCHECK_VECTORS'] ?? join(root, '../shared/vectors')
  if (existsSync(join(folder, 'kzg'))) return folder
  if (process.env['CI'] === 'true') throw new Error(`the vectors are required in CI and are not at ${folder}`)
  return null
}

/** A file's bytes, from the vectors (`vectors/…`) or from the data that the set-up extracted (`data/…`). */
export async function readTestFile(path: string): Promise<Uint8Array<ArrayBuffer>> {
  if (path.includes('..')) throw new Error(`not a test file: ${path}`)
  const folder = path.startsWith('vectors/') ? vectorsFolder() : join(root, 'data')
  if (folder === null) throw new Error('there are no vectors here')
  return new Uint8Array(await readFile(join(folder, path.slice(path.indexOf('/') + 1))))
}

/** Names in a folder of the vectors, sorted. */
export async function listVectors(path: string): Promise<string[]> {
  const folder = vectorsFolder()
  if (folder === null || path.includes('..')) throw new Error('there are no vectors here')
  return (await readdir(join(folder, path))).sort()
}

/** For `browser.commands`: the first argument is Vitest's context; bytes cross as base64. */
export const vectorCommands = {
  hasVectors: async (): Promise<boolean> => vectorsFolder() !== null,
  listVectors: async (_context: unknown, path: string): Promise<string[]> => await listVectors(path),
  readTestFile: async (_context: unknown, path: string): Promise<string> =>
    Buffer.from(await readTestFile(path)).toString('base64'),
}
