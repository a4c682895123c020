// What the prover's kept tables must hash to: worked out by the module itself, for every shape that can be kept.
// `node scripts/table-hashes.mjs` writes ts/src/prover/tables/pinned.ts anew; the tests hold one against the other.
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { instance as prover } from '../wasm/prover_simd128.js'
import { isMain } from './is-main.mjs'
import { root } from './setup.mjs'

export const ROWS = [1, 2, 4, 8]
export const WIDTHS = [4, 5, 6, 7, 8]
const PARTS = 16
const WIDEST = Math.max(...WIDTHS)

const wasm = (name) => readFileSync(join(root, 'wasm', name))
prover.initSync({ module: wasm('prover_simd128.wasm') })

/** An instance with the setup, and with tables of a shape. */
export function freshTables(rows, width) {
  prover.__wbg_reset_state()
  prover.readSetup(wasm('prover-setup.bin'))
  prover.readSetupExtension(wasm('prover-setup-extension.bin'))
  if (!prover.useTables(rows, width)) throw new Error(`no tables of ${rows} rows, width ${width}`)
  return prover
}

/** 128 bits of SHA-256, in hex. */
export function hashOf(bytes) {
  return createHash('sha256').update(bytes).digest('hex').slice(0, 32)
}

/** The hashes of the 16 parts, one after the other, of the shapes with so many rows: by width. */
export function hashesOf(rows) {
  const hashes = Object.fromEntries(WIDTHS.map((width) => [width, '']))
  for (let part = 0; part < PARTS; part++) {
    // A few at a time: the largest take 400 MB together.
    if (part % 4 === 0) freshTables(rows, WIDEST)
    const widest = prover.tablePart(part)
    for (const width of WIDTHS) hashes[width] += hashOf(narrowed(widest, width))
  }
  return hashes
}

/** A narrower table has the first multiples of each point and row. */
function narrowed(widest, width) {
  const [from, to] = [96 << (WIDEST - 2), 96 << (width - 2)]
  const narrow = new Uint8Array((widest.length / from) * to)
  for (let at = 0, read = 0; at < narrow.length; at += to, read += from)
    narrow.set(widest.subarray(read, read + to), at)
  return narrow
}

function write() {
  const lines = ROWS.flatMap((rows) =>
    Object.entries(hashesOf(rows)).map(([width, hashes]) => `  '${rows}x${width}':\n    '${hashes}',\n`),
  )
  const text = `/**
 * What kept tables must be, written by scripts/table-hashes.mjs: by rows and width, 128 bits of the SHA-256 of each of the 16
 * parts, in hex, one after the other. They hold for Ethereum's setup and for this form of the bytes, and for nothing else.
 */
export const PINNED: Readonly<Record<string, string>> = {
${lines.join('')}}
`
  writeFileSync(join(root, 'ts/src/prover/tables/pinned.ts'), text)
}

if (isMain(import.meta.url)) write()
