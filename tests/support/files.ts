/** Test data, the same way in Node and in the browser: the committed vectors, and what the set-up extracted. */
import { openPack } from '../vectors/pack.mjs'

declare global {
  // Set by Vitest in its browser pages.
  var __vitest_browser__: boolean | undefined
}

type Pack = ReturnType<typeof openPack>

export const inBrowser: boolean = typeof window === 'object'

/** The sets that this file of tests has asked for: each is read once. */
const packs = new Map<string, Promise<Pack>>()

/** A committed or extracted file, by its path in the project. */
async function readProjectFile(path: string): Promise<Blob> {
  if (!inBrowser) {
    const { readFile } = await import('node:fs/promises')
    return new Blob([new Uint8Array(await readFile(new URL(`../../${path}`, import.meta.url)))])
  }
  const response = await fetch(`/${path}`)
  if (!response.ok) throw new Error(`${path}: ${response.status}`)
  return await response.blob()
}

async function readPool(set: string): Promise<Uint8Array<ArrayBuffer>> {
  const compressed = await readProjectFile(`tests/vectors/${set}.pool`)
  const bytes = new Response(compressed.stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer()
  return new Uint8Array(await bytes)
}

async function readPack(set: string): Promise<Pack> {
  const index = readProjectFile(`tests/vectors/${set}.json`).then(async (file) => await file.text())
  // Nothing in this set is long enough for a pool.
  const pool = set === 'bls' ? new Uint8Array(0) : await readPool(set)
  return openPack(JSON.parse(await index) as Parameters<typeof openPack>[0], pool)
}

/** The set that a path begins with, and what follows it: `vectors/<set>/<path>`. */
async function locate(path: string): Promise<[pack: Pack, path: string]> {
  const [, set, rest] = /^vectors\/([\w-]+)\/(.+)$/.exec(path) ?? []
  if (set === undefined || rest === undefined) throw new Error(`not a path of a vector: ${path}`)
  let pack = packs.get(set)
  if (pack === undefined) packs.set(set, (pack = readPack(set)))
  return [await pack, rest]
}

/** The bytes of one of the vectors (`vectors/…`), or of a file that the set-up extracted (`data/…`). */
export async function readTestFile(path: string): Promise<Uint8Array<ArrayBuffer>> {
  if (path.startsWith('data/')) return new Uint8Array(await (await readProjectFile(path)).arrayBuffer())
  const [pack, rest] = await locate(path)
  return pack.bytes(rest)
}

/** The text of one of the vectors, or of a file that the set-up extracted. */
export async function readText(path: string): Promise<string> {
  if (path.startsWith('data/')) return await (await readProjectFile(path)).text()
  const [pack, rest] = await locate(path)
  return pack.text(rest)
}

/** What a vector that is JSON, or that was the YAML of an official case, holds. Byte strings are `0x` hex. */
export async function readValue<T>(path: string): Promise<T> {
  const [pack, rest] = await locate(path)
  return pack.value(rest) as T
}

/** Names in a folder of the vectors, sorted. */
export async function listVectors(path: string): Promise<string[]> {
  const [pack, rest] = await locate(`vectors/${path}`)
  return pack.list(rest)
}
