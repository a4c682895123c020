/**
 * Blobs on disk, by versioned hash, up to so many bytes. Whoever can write to the folder can put anything there: what it gives is verified
 * by the blob source before it is used, and takes the place of nothing but a fetch.
 */
import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { BLOB_BYTES } from '../../beacon/ssz/layout.ts'
import type { BlobCache } from '../../blobs/options.ts'
import { messageOf } from '../../runtime/errors.ts'
import { readBounded } from '../../util/bounded-file.ts'
import { BoundedMap } from '../../util/bounded-map.ts'
import type { OnNews } from '../news.ts'

const HASH = /^0x01[0-9a-f]{62}$/
/** How often it is written down that a file was used, in milliseconds: the order of use need not be exact after a restart. */
const TOUCH_MS = 60_000
/** Files that are looked at together when a folder is opened. */
const AT_ONCE = 64
/** What is written for longer was interrupted, in milliseconds. */
const DRAFT_MS = 10 * 60_000

interface Kept {
  /** When it was last written down that it was used: milliseconds of Unix time. */
  touched: number
}

/** Files of 131,072 bytes each, named by their versioned hashes. Those that were used longest ago are deleted first. */
export class DiskCache implements BlobCache {
  readonly #folder: string
  readonly #most: number
  readonly #kept: BoundedMap<string, Kept>
  /** Those whose files are to be deleted. */
  #superfluous: string[] = []
  readonly #writing = new Map<string, Promise<void>>()
  readonly #onNews: OnNews
  /** Whether the last write that ended failed. */
  #isFailing = false

  private constructor(folder: string, most: number, onNews: OnNews) {
    this.#folder = folder
    this.#most = most
    this.#onNews = onNews
    this.#kept = new BoundedMap(
      Math.floor(most / BLOB_BYTES),
      () => 1,
      (hash) => this.#superfluous.push(hash),
    )
  }

  /**
   * Opens a folder, which is made where there is none. `most`: how many bytes of blobs it may hold; what is beyond that is deleted, as is
   * what an interrupted write has left, ten minutes later. Files of other names are left alone. Several processes may share a folder; each
   * knows of its own blobs, and of those that were there before. `onNews` is told when writing begins to fail, and when it works again. Rejects
   * with Node's error where the folder cannot be used.
   */
  static async open(folder: string, most: number, onNews: OnNews = () => {}): Promise<DiskCache> {
    await mkdir(folder, { recursive: true })
    const cache = new DiskCache(folder, most, onNews)
    await cache.#load()
    return cache
  }

  /** How many blobs there are. */
  get size(): number {
    return this.#kept.size
  }

  /** How many bytes they have together. */
  get bytes(): number {
    return this.#kept.size * BLOB_BYTES
  }

  /** Rejects for what is no file, and for one that is longer than a blob: whatever that is, it was not written here. The next `put` replaces it. */
  async get(versionedHash: string): Promise<Uint8Array | null> {
    const kept = HASH.test(versionedHash) ? this.#kept.get(versionedHash) : undefined
    if (kept === undefined) return null
    try {
      const blob = await readBounded(this.#path(versionedHash), BLOB_BYTES)
      const now = Date.now()
      if (now - kept.touched > TOUCH_MS) {
        kept.touched = now
        await utimes(this.#path(versionedHash), now / 1000, now / 1000).catch(() => {})
      }
      return blob.length === BLOB_BYTES ? blob : null
    } catch (error) {
      // Somebody has deleted it.
      if (!isMissing(error)) throw error
      this.#kept.delete(versionedHash)
      return null
    }
  }

  /** Written beside and renamed: whoever reads, reads all of the old or all of the new. A blob that is there is written anew. */
  async put(versionedHash: string, blob: Uint8Array): Promise<void> {
    if (!HASH.test(versionedHash) || blob.length !== BLOB_BYTES)
      throw new TypeError('not a blob and its hash')
    if (this.#most < BLOB_BYTES) return
    const other = this.#writing.get(versionedHash)
    if (other !== undefined) return await other
    const writing = this.#write(versionedHash, blob)
    this.#writing.set(versionedHash, writing)
    const wasFailing = this.#isFailing
    try {
      await writing
      // Of one that began before another failed, the end says nothing of those to come.
      if (wasFailing) this.#tell(null)
    } catch (error) {
      this.#tell(error)
      throw error
    } finally {
      this.#writing.delete(versionedHash)
    }
  }

  /** What a write failed with; null for one that did not. A disk that is full fails them all, which is told once. */
  #tell(error: unknown): void {
    const isFailing = error !== null
    if (isFailing === this.#isFailing) return
    this.#isFailing = isFailing
    const fault = messageOf(error)
    this.#onNews(
      isFailing
        ? `blobs cannot be written to the cache on disk: ${fault}`
        : 'blobs are written to the cache on disk again',
      isFailing,
    )
  }

  async #write(versionedHash: string, blob: Uint8Array): Promise<void> {
    const path = this.#path(versionedHash)
    // By chance: threads share a process id, and so do containers, each of which has the first one.
    const draft = `${path}.${randomUUID()}.draft`
    try {
      // The room first, so that at no time there is more than may be.
      await this.#makeRoom(versionedHash)
      await mkdir(join(path, '..'), { recursive: true })
      await writeFile(draft, blob)
      await rename(draft, path)
      // Who looked for it before it was there has crossed it out.
      if (this.#kept.get(versionedHash) === undefined) await this.#makeRoom(versionedHash)
    } catch (error) {
      await rm(draft, { force: true }).catch(() => {})
      // What was to be replaced still takes its room.
      const there = await stat(path).catch(() => null)
      if (there?.isFile() !== true) this.#kept.delete(versionedHash)
      throw error
    }
  }

  /** Takes note of a blob, and deletes what there is no more room for. */
  async #makeRoom(versionedHash: string): Promise<void> {
    this.#kept.set(versionedHash, { touched: Date.now() })
    await this.#deleteSuperfluous()
  }

  /** Rejects with Node's error where one cannot be deleted; the next call tries it again. */
  async #deleteSuperfluous(): Promise<void> {
    // What was put again since it was crossed out is none of them.
    const hashes = this.#superfluous.filter((hash) => this.#kept.get(hash) === undefined)
    this.#superfluous = []
    await Promise.all(
      hashes.map(async (hash) => {
        try {
          await rm(this.#path(hash), { force: true })
        } catch (error) {
          this.#superfluous.push(hash)
          throw error
        }
      }),
    )
  }

  /** What is in the folder, the oldest use first. What is of a time to come was used while the clock was ahead: nobody knows when. */
  async #load(): Promise<void> {
    const now = Date.now()
    const found: { readonly hash: string; readonly touched: number }[] = []
    const shards = (await readdir(this.#folder)).filter((name) => /^[0-9a-f]{2}$/.test(name))
    for (const shard of shards) {
      const names = await readdir(join(this.#folder, shard)).catch(() => [])
      while (names.length > 0)
        await Promise.all(
          names.splice(0, AT_ONCE).map(async (name) => {
            const path = join(this.#folder, shard, name)
            const isDraft = name.endsWith('.draft')
            const file = isDraft || HASH.test(name) ? await stat(path).catch(() => null) : null
            if (file?.isFile() !== true) return
            // A young draft may be what another process writes just now.
            if (isDraft && Math.abs(now - file.mtimeMs) <= DRAFT_MS) return
            const touched = file.mtimeMs - now > TOUCH_MS ? 0 : file.mtimeMs
            if (!isDraft && file.size === BLOB_BYTES) found.push({ hash: name, touched })
            else await rm(path, { force: true })
          }),
        )
    }
    found.sort((a, b) => a.touched - b.touched)
    for (const { hash, touched } of found) this.#kept.set(hash, { touched })
    await this.#deleteSuperfluous()
  }

  /** In 256 folders, by the first byte that differs between hashes. */
  #path(versionedHash: string): string {
    return join(this.#folder, versionedHash.slice(4, 6), versionedHash)
  }
}

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT'
