// Writes tests/vectors from the originals: `node scripts/pack-vectors.mjs [FOLDER]`, by default ../shared/vectors. The form is
// described in tests/vectors/README.md; tests/node/packed-vectors.test.ts compares the two, file by file.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync, gzipSync } from 'node:zlib'
import { uncompress } from 'snappyjs'
import { parse } from 'yaml'
import { openPack } from '../tests/vectors/pack.mjs'
import { isMain } from './is-main.mjs'

const packed = fileURLToPath(new URL('../tests/vectors/', import.meta.url))

/** Where the originals lie, if anywhere. */
export const originals = fileURLToPath(new URL('../../shared/vectors/', import.meta.url))

export const sets = [
  'bls',
  'kzg',
  'lightclient',
  'real',
  'spec',
  'gloas-light-client',
  'blocks',
  'gloas',
  'execution',
]

/** Sets that are a part of a folder of the originals: which folder, and which of the files in it. Any other set is a whole folder. */
const parts = {
  'gloas-light-client': {
    folder: 'spec-gloas',
    holds: (path) =>
      /\/(light_client|ssz_static\/LightClient\w+)\//.test(path) && !path.endsWith('/manifest.yaml'),
  },
  blocks: {
    folder: 'spec-gloas',
    holds: (path) =>
      /\/ssz_static\/(?:Signed)?BeaconBlock(?:Body)?\/.*\/(?:serialized\.ssz|roots\.yaml)$/.test(path) ||
      // As JSON, whose numbers and short strings no pool makes smaller, one block of each form.
      /-(?:deneb|electra|gloas)\/ssz_static\/BeaconBlock\/ssz_random\/case_0\/value\.json$/.test(path) ||
      // Of columns, one case of each kind, the smallest: block, sidecar, and what is to be found.
      /\/verify_data_column_sidecar\/extra\/(?:\w+__1_blobs|zero_root__2_blobs|valid__3_blobs__column_1)\/(?:block|sidecar|meta)\./.test(
        path,
      ),
  },
  // The rest: proofs about blocks, full and empty payloads, custody and gossip, and the parts of blocks by themselves.
  gloas: {
    folder: 'spec-gloas',
    holds: (path) =>
      !/\/(?:manifest\.yaml|state\.ssz_snappy|value\.json)$/.test(path) &&
      (/\/(?:get_parent_payload_status|merkle_proof|get_custody_groups|compute_columns_for_custody_group|gossip_data_column_sidecar)\//.test(
        path,
      ) ||
        /\/ssz_static\/(?:Attestation|AttesterSlashing|BeaconBlockHeader|ExecutionPayloadBid|ExecutionRequests|IndexedAttestation|PayloadAttestation|SignedExecutionPayloadBid|SyncAggregate)\//.test(
          path,
        ) ||
        // In Gloas no block has a payload in it.
        /-(?:deneb|fulu)\/ssz_static\/ExecutionPayload\//.test(path)),
  },
  execution: { folder: 'real', holds: (path) => path.startsWith('mainnet_execution_block_') },
}

/** What is not packed. README.md says why. */
const leftOut = [
  'real/holesky_1409759_blob_sidecars.json',
  // In a set of its own.
  'real/mainnet_execution_block_24476000.json',
  'real/shape_only_blobs.json',
  'real/txs-4844/15.rlp',
  'real/txs-4844/9.rlp',
]

/** Byte strings up to this length stay where they are in a document, but for those in lists of more than `LIST` items. */
const INLINE = 96
const LIST = 8
const HEX = /^0x(?:[0-9a-f]{2})+$/

/** The files of a set of the originals that are packed, by their path in the pack, each as `{ kind, value }`. */
export function readOriginals(folder, set) {
  const { folder: name, holds } = parts[set] ?? { folder: set, holds: () => true }
  const files = new Map()
  for (const path of walk(join(folder, name))) {
    if (!holds(path) || leftOut.includes(`${set}/${path}`)) continue
    const bytes = readFileSync(join(folder, name, path))
    const [packedPath, kind, value] = readOriginal(set, path, bytes)
    files.set(packedPath, { kind, value })
  }
  return files
}

/** A file's path in the pack, its kind, and what it holds. */
function readOriginal(set, path, bytes) {
  const text = () => bytes.toString('utf8')
  // The official cases are a folder each, with one file of this name.
  if (set === 'kzg') return [path.replace(/\/data\.yaml$/, ''), 'documents', parse(text())]
  if (path.endsWith('.json')) return [path, 'documents', JSON.parse(text())]
  if (/\.(yaml|md)$/.test(path)) return [path, 'texts', text()]
  if (path.endsWith('.rlp')) return [path, 'objects', Buffer.from(text().trim(), 'hex')]
  if (path.endsWith('.ssz_snappy'))
    return [path.replace(/_snappy$/, ''), 'objects', Buffer.from(uncompress(bytes))]
  return [path, 'objects', bytes]
}

/** The paths of the files below a folder, sorted, with forward slashes. */
function walk(folder, prefix = '') {
  return readdirSync(folder)
    .sort()
    .flatMap((name) =>
      statSync(join(folder, name)).isDirectory()
        ? walk(join(folder, name), `${prefix}${name}/`)
        : [prefix + name],
    )
}

/** The committed files of a set, opened. */
export function readPacked(set, folder = packed) {
  const pool = join(folder, `${set}.pool`)
  return openPack(
    JSON.parse(readFileSync(join(folder, `${set}.json`), 'utf8')),
    existsSync(pool) ? new Uint8Array(gunzipSync(readFileSync(pool))) : new Uint8Array(0),
  )
}

/** SHA-256 of what a file holds: its bytes, its text, or its value as JSON without spaces. */
export function digestOf(kind, value) {
  const content = kind === 'documents' ? JSON.stringify(value) : value
  return createHash('sha256').update(content).digest('hex')
}

/** Distinct bytes, one after the other. What comes again, in whole or in part, is found and not stored a second time. */
class Pool {
  #bytes = Buffer.alloc(1 << 24)
  #length = 0
  /** Where each window that starts at a multiple of `STEP` was seen first. */
  #windows = new Map()
  /** Where whole strings lie, also those that are too short for a window. */
  #whole = new Map()

  static WINDOW = 64
  static STEP = 16
  /** A shorter part is not worth a reference of its own. */
  static PART = 256

  get bytes() {
    return this.#bytes.subarray(0, this.#length)
  }

  /** The slices, `{ offset, length }`, that the string consists of; what is new is stored. */
  add(string) {
    const key = string.toString('latin1')
    const known = this.#whole.get(key)
    if (known !== undefined) return [{ offset: known, length: string.length }]
    const slices = []
    let from = 0
    for (let at = 0; at + Pool.WINDOW <= string.length;) {
      const found = this.#match(string, key, at, from)
      if (found === null) at++
      else {
        if (found.at > from) slices.push(this.#append(string.subarray(from, found.at)))
        slices.push({ offset: found.offset, length: found.length })
        at = from = found.at + found.length
      }
    }
    if (from < string.length) slices.push(this.#append(string.subarray(from)))
    const joined = slices.reduce(joinSlice, [])
    if (joined.length === 1) this.#whole.set(key, joined[0].offset)
    return joined
  }

  /** Where a string lies in the pool as one slice, or null. */
  find(string) {
    const key = string.toString('latin1')
    const known = this.#whole.get(key)
    if (known !== undefined) return known
    if (string.length < Pool.WINDOW + Pool.STEP) return null
    for (let at = 0; at < Pool.STEP; at++) {
      const found = this.#match(string, key, at, 0)
      if (found !== null && found.at === 0 && found.length === string.length) return found.offset
    }
    return null
  }

  /** The longest part around position `at`, from `from` on, that the pool has. */
  #match(string, key, at, from) {
    const seen = this.#windows.get(key.substring(at, at + Pool.WINDOW))
    if (seen === undefined) return null
    let [start, offset] = [at, seen]
    while (start > from && offset > 0 && string[start - 1] === this.#bytes[offset - 1]) {
      start--
      offset--
    }
    let end = at + Pool.WINDOW
    while (end < string.length && offset + end - start < this.#length) {
      if (string[end] !== this.#bytes[offset + end - start]) break
      end++
    }
    const isWhole = start === 0 && end === string.length
    return isWhole || end - start >= Pool.PART ? { at: start, offset, length: end - start } : null
  }

  #append(string) {
    const offset = this.#length
    string.copy(this.#bytes, offset)
    this.#length += string.length
    const first = Math.ceil(Math.max(0, offset - Pool.WINDOW) / Pool.STEP) * Pool.STEP
    for (let at = first; at + Pool.WINDOW <= this.#length; at += Pool.STEP) {
      const window = this.#bytes.toString('latin1', at, at + Pool.WINDOW)
      if (!this.#windows.has(window)) this.#windows.set(window, at)
    }
    return { offset, length: string.length }
  }
}

/** Appends a slice to others, as one with the last where it follows it in the pool. */
function joinSlice(slices, slice) {
  const last = slices.at(-1)
  if (last !== undefined && last.offset + last.length === slice.offset) last.length += slice.length
  else slices.push({ ...slice })
  return slices
}

const written = (slices) => slices.map(({ offset, length }) => `@${offset}+${length}`).join('')
const unhex = (text) => Buffer.from(text.slice(2), 'hex')

/** A value with references in the place of its long byte strings. */
function packValue(value, pool) {
  if (typeof value === 'string') {
    if (value.startsWith('@')) throw new Error('a string that would be read as a reference')
    return HEX.test(value) && value.length > 2 + 2 * INLINE ? written(pool.add(unhex(value))) : value
  }
  if (typeof value === 'number' && !Number.isSafeInteger(value)) throw new Error(`not exact: ${value}`)
  if (Array.isArray(value)) return packList(value, pool)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, packValue(entry, pool)]))
}

function packList(list, pool) {
  const isLong = list.length > LIST
  const isByteString = (item) =>
    typeof item === 'string' && HEX.test(item) && item.length > 2 + 2 * (isLong ? 31 : INLINE)
  const items = []
  // References to one slice whose bytes follow one another become one, which is cut into equal items.
  const push = (offset, length, count) => {
    const last = items.at(-1)
    if (last?.length === length && last.offset + last.length * last.count === offset) last.count += count
    else items.push({ offset, length, count })
  }
  if (list.length > 1 && list.every((item) => isByteString(item) && item.length === list[0].length)) {
    const whole = pool.find(Buffer.concat(list.map(unhex)))
    const { length } = unhex(list[0])
    if (whole !== null) return [`@${whole}+${length}*${list.length}`]
  }
  for (const item of list) {
    const slices = isByteString(item) ? pool.add(unhex(item)) : []
    if (slices.length === 1) push(slices[0].offset, slices[0].length, 1)
    else items.push(isByteString(item) ? written(slices) : packValue(item, pool))
  }
  return items.map((item) => {
    if (typeof item !== 'object' || item === null || !('count' in item && 'offset' in item)) return item
    const { offset, length, count } = item
    return count === 1 ? `@${offset}+${length}` : `@${offset}+${length}*${count}`
  })
}

/** A set's index and pool. */
export function pack(files, hasBlobs) {
  const pool = new Pool()
  // Where there are blobs there are runs of zeros; one run that is as long as they come is what all of them refer to.
  if (hasBlobs) pool.add(Buffer.alloc(131_072))
  const index = { documents: {}, texts: {}, objects: {} }
  // Objects first: documents that say the same in hex refer to them.
  for (const [path, { kind, value }] of files)
    if (kind === 'objects') index.objects[path] = written(pool.add(value))
  for (const [path, { kind, value }] of files)
    if (kind !== 'objects') index[kind][path] = kind === 'texts' ? value : packValue(value, pool)
  return { index, pool: pool.bytes }
}

/** One line a file, so that a change is seen where it is. */
function print(index) {
  const kinds = Object.entries(index).map(([kind, files]) => {
    const lines = Object.entries(files).map(
      ([path, value]) => `${JSON.stringify(path)}:${JSON.stringify(value)}`,
    )
    return `${JSON.stringify(kind)}:{${lines.length === 0 ? '' : `\n${lines.join(',\n')}\n`}}`
  })
  return `{${kinds.join(',\n')}}\n`
}

function main(folder) {
  const digests = []
  for (const set of sets) {
    const files = readOriginals(folder, set)
    const { index, pool } = pack(files, ['kzg', 'real'].includes(set))
    const compressed = gzipSync(pool, { level: 9 })
    writeFileSync(join(packed, `${set}.json`), print(index))
    if (pool.length > 0) writeFileSync(join(packed, `${set}.pool`), compressed)
    else rmSync(join(packed, `${set}.pool`), { force: true })
    for (const [path, { kind, value }] of files) digests.push(`${digestOf(kind, value)}  ${set}/${path}`)
    const bytes = pool.length === 0 ? 0 : compressed.length
    console.log(
      `${set}: ${files.size} files, index ${print(index).length}, pool ${pool.length} (${bytes} compressed)`,
    )
  }
  writeFileSync(join(packed, 'SHA256SUMS'), `${digests.join('\n')}\n`)
}

if (isMain(import.meta.url)) main(process.argv[2] ?? originals)
