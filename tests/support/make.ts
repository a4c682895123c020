/**
 * Valid data without vectors. A constant polynomial p(X) = c has commitment c·G, and its quotient is zero, so that every
 * proof is the point at infinity: blobs and cells by the hundred, at no cost. And a real block, whose proofs are real.
 */
import type { BlobItem, CellItem } from 'blobcheck'
import { readText } from './files.ts'
import { multipleOfG1 } from './g1.ts'

export const BLOB_BYTES = 131_072
export const CELL_BYTES = 2_048

/** The point at infinity, compressed. */
export const infinity: Uint8Array<ArrayBuffer> = new Uint8Array(48).fill(0xc0, 0, 1)

export type MadeBlob = BlobItem &
  Required<Pick<BlobItem, 'commitment' | 'proof'>> & { readonly blob: Uint8Array<ArrayBuffer> }

/** The scalar c, big-endian, as often as `bytes` has room for it. */
function repeated(c: number, bytes: number): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(bytes)
  const view = new DataView(out.buffer)
  for (let at = 28; at < bytes; at += 32) view.setUint32(at, c)
  return out
}

const withSource = (source: string | undefined): { source?: string } =>
  source === undefined ? {} : { source }

/** A valid blob: p(X) = c. Different c, different bytes. */
export function makeBlob(c: number, source?: string): MadeBlob {
  return {
    blob: repeated(c, BLOB_BYTES),
    commitment: multipleOfG1(c),
    proof: infinity,
    ...withSource(source),
  }
}

/** A well-formed blob that is not what its commitment commits to. */
export function makeBadBlob(c: number, source?: string): MadeBlob {
  const item = makeBlob(c, source)
  item.blob[31] = (item.blob[31]! + 1) % 256
  return item
}

/** A valid cell of p(X) = c. */
export function makeCell(c: number, cellIndex: number, source?: string): CellItem {
  return {
    commitment: multipleOfG1(c),
    cellIndex,
    cell: repeated(c, CELL_BYTES),
    proof: infinity,
    ...withSource(source),
  }
}

/** A well-formed cell that is not its blob's. */
export function makeBadCell(c: number, cellIndex: number, source?: string): CellItem {
  return { ...makeCell(c, cellIndex, source), cell: repeated(c + 1, CELL_BYTES) }
}

interface Sidecar {
  readonly blob: string
  readonly kzg_commitment: string
  readonly kzg_proof: string
}

const bytesOf = (hex: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from({ length: hex.length / 2 - 1 }, (_, at) =>
    Number.parseInt(hex.slice(2 * at + 2, 2 * at + 4), 16),
  )

/** The six blobs of the real Holesky block. */
export async function realBlobs(): Promise<MadeBlob[]> {
  const { data } = JSON.parse(await readText('data/holesky_1409759_blob_sidecars.json')) as {
    data: Sidecar[]
  }
  return data.map((sidecar) => ({
    blob: bytesOf(sidecar.blob),
    commitment: bytesOf(sidecar.kzg_commitment),
    proof: bytesOf(sidecar.kzg_proof),
  }))
}

/** A copy with one bit of the blob flipped: still canonical, no longer true. */
export function tampered<T extends MadeBlob>(item: T, at: number = 31): T {
  const blob = new Uint8Array(item.blob)
  blob[at]! ^= 1
  return { ...item, blob }
}

/** Numbers in [0, 1) from a seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Fisher and Yates. */
export function shuffled<T>(list: readonly T[], random: () => number): T[] {
  const out = [...list]
  for (let at = out.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1))
    ;[out[at], out[other]] = [out[other]!, out[at]!]
  }
  return out
}

/** Numbers from 0. */
export const range = (length: number): number[] => Array.from({ length }, (_, at) => at)

/** Resolves after the tasks that are already due. */
export const turn = (ms = 0): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Waits until something is so. Fails by the test's own time limit, never by one of its own. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await turn(5)
}

/** A promise that a test settles when it likes. */
export function later<T = void>(): { readonly promise: Promise<T>; readonly resolve: (value: T) => void } {
  let resolve!: (value: T) => void
  const promise = new Promise<T>((settle) => (resolve = settle))
  return { promise, resolve }
}

/** What never comes. */
export const never = (): Promise<never> => new Promise(() => {})

/** What never comes, to somebody who does not wait for ever: rejects with the signal's reason once that is aborted. */
export const unanswered = (signal: Pick<AbortSignal, 'addEventListener' | 'reason'>): Promise<never> =>
  new Promise((_, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }),
  )
