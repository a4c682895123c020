/** Blobs on disk: so many and no more, over restarts, and never believed. */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import promises, { readdir, readFile, truncate, utimes, writeFile, mkdir, rm } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { DiskCache } from '../../dist/proxy/blobs/disk-cache.js'
import { flip, toHex } from '../support/bytes.ts'
import { range } from '../support/make.ts'
import { ask, blobsAt, digestOf, endpointOf, proxiedChain, proxyOf, scratch } from '../support/proxies.ts'

const SIZE = 131_072
/** For what is written after an answer, on a loaded machine. */
const PATIENCE = { timeout: 20_000 }
const hashOf = (number: number): string => `0x01${number.toString(16).padStart(62, '0')}`
const pathOf = (folder: string, number: number): string =>
  join(folder, hashOf(number).slice(4, 6), hashOf(number))
const blobOf = (number: number): Uint8Array => new Uint8Array(SIZE).fill(number)

async function filesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true })
  return names.filter((entry) => entry.isFile()).map(({ name }) => name)
}

/** Those that are whole: a draft is not. */
async function blobsIn(folder: string): Promise<string[]> {
  return (await filesIn(folder)).filter((name) => !name.endsWith('.draft'))
}

describe('a cache on disk', () => {
  it('gives what was put, byte by byte, and null for what was not', async () => {
    const cache = await DiskCache.open(await scratch(), 10 * SIZE)
    await cache.put(hashOf(1), blobOf(7))
    expect(toHex((await cache.get(hashOf(1)))!)).toBe(toHex(blobOf(7)))
    expect(await cache.get(hashOf(2))).toBeNull()
    expect(await cache.get('../../etc/passwd')).toBeNull()
    expect([cache.size, cache.bytes]).toEqual([1, SIZE])
  })

  it('holds no more than it may, and deletes what was used longest ago', async () => {
    const folder = await scratch()
    const cache = await DiskCache.open(folder, 4 * SIZE + 5)
    for (const number of [1, 2, 3, 4]) await cache.put(hashOf(number), blobOf(number))
    await cache.get(hashOf(1))
    await Promise.all([5, 6].map(async (number) => await cache.put(hashOf(number), blobOf(number))))
    expect((await filesIn(folder)).sort()).toEqual([1, 4, 5, 6].map(hashOf))
    expect(await cache.get(hashOf(2))).toBeNull()
    expect(cache.bytes).toBe(4 * SIZE)
    for (let number = 10; number < 60; number++) await cache.put(hashOf(number), blobOf(number))
    expect(await filesIn(folder)).toHaveLength(4)
  })

  it('is after a restart what it was, in the order of use, and makes do with less', async () => {
    const folder = await scratch()
    const first = await DiskCache.open(folder, 10 * SIZE)
    for (const number of [1, 2, 3]) await first.put(hashOf(number), blobOf(number))
    // As if they had been used in another order, days ago.
    for (const [number, age] of [
      [1, 100],
      [2, 300],
      [3, 200],
    ] as const) {
      const path = join(folder, hashOf(number).slice(4, 6), hashOf(number))
      await utimes(path, Date.now() / 1000 - age, Date.now() / 1000 - age)
    }
    const second = await DiskCache.open(folder, 10 * SIZE)
    expect(second.size).toBe(3)
    expect(toHex((await second.get(hashOf(2)))!)).toBe(toHex(blobOf(2)))
    // It was used now, and the others were not.
    const third = await DiskCache.open(folder, 2 * SIZE)
    expect((await filesIn(folder)).sort()).toEqual([1, 2].map(hashOf))
    expect(third.size).toBe(2)
    expect((await DiskCache.open(folder, 0)).size).toBe(0)
    expect(await filesIn(folder)).toEqual([])
  })

  it('deletes first what was used while the clock was ahead, also after restarts', async () => {
    const folder = await scratch()
    const first = await DiskCache.open(folder, 4 * SIZE)
    const ahead = Date.now() / 1000 + 3.15e8
    for (const number of [1, 2, 3]) {
      await first.put(hashOf(number), blobOf(number))
      await utimes(pathOf(folder, number), ahead + number, ahead + number)
    }
    const anHourAgo = Date.now() / 1000 - 3_600
    await first.put(hashOf(4), blobOf(4))
    await utimes(pathOf(folder, 4), anHourAgo, anHourAgo)
    const second = await DiskCache.open(folder, 4 * SIZE)
    await second.put(hashOf(5), blobOf(5))
    expect(await blobsIn(folder)).toContain(hashOf(4))
    // One that is used again is used now.
    const used = [1, 2, 3].find((number) => existsSync(pathOf(folder, number)))!
    expect(await second.get(hashOf(used))).not.toBeNull()
    const third = await DiskCache.open(folder, 4 * SIZE)
    await third.put(hashOf(6), blobOf(6))
    expect((await blobsIn(folder)).sort()).toEqual([used, 4, 5, 6].map(hashOf))
  })

  it('clears away what an interrupted write left, and files of a wrong length, and leaves others alone', async () => {
    const folder = await scratch()
    const shard = join(folder, '00')
    await mkdir(shard)
    const [left, young, ahead] = [4711, 4712, 4713].map((name) => join(shard, `${hashOf(1)}.${name}.draft`))
    for (const draft of [left!, young!, ahead!]) await writeFile(draft, blobOf(1))
    const now = Date.now() / 1000
    await utimes(left!, now - 3_600, now - 3_600)
    // The clock was ahead when it was written.
    await utimes(ahead!, now + 3_600, now + 3_600)
    await writeFile(join(shard, hashOf(2)), 'short')
    await writeFile(join(folder, 'notes.txt'), 'of somebody else')
    const cache = await DiskCache.open(folder, 10 * SIZE)
    // What another process may be writing is left to it.
    expect((await filesIn(folder)).sort()).toEqual([`${hashOf(1)}.4712.draft`, 'notes.txt'])
    expect(cache.size).toBe(0)
  })

  it('keeps blobs that another one puts at the same time, in a thread or a container with the same process id', async () => {
    const folder = await scratch()
    // A module of its own, as each thread has it.
    const thread = '../../dist/proxy/blobs/disk-cache.js?another-thread'
    const { DiskCache: Another } = (await import(thread)) as { DiskCache: typeof DiskCache }
    expect(Another).not.toBe(DiskCache)
    const caches = [await DiskCache.open(folder, 99 * SIZE), await Another.open(folder, 99 * SIZE)]
    for (let number = 1; number <= 40; number++) {
      await Promise.all(caches.map(async (cache) => await cache.put(hashOf(number), blobOf(number))))
      for (const cache of caches)
        expect(toHex((await cache.get(hashOf(number)))!)).toBe(toHex(blobOf(number)))
    }
    expect(await filesIn(folder)).toHaveLength(40)
  })

  it('survives that its files are deleted, and keeps nothing where nothing may be', async () => {
    const folder = await scratch()
    const cache = await DiskCache.open(folder, 10 * SIZE)
    await cache.put(hashOf(1), blobOf(1))
    await rm(join(folder, '00'), { recursive: true })
    expect(await cache.get(hashOf(1))).toBeNull()
    await cache.put(hashOf(1), blobOf(1))
    expect(await cache.get(hashOf(1))).not.toBeNull()
    const none = await DiskCache.open(await scratch(), SIZE - 1)
    await none.put(hashOf(1), blobOf(1))
    expect([await none.get(hashOf(1)), none.size]).toEqual([null, 0])
    await expect(cache.put(hashOf(1), new Uint8Array(5))).rejects.toThrow(TypeError)
  })
})

describe('a disk', () => {
  afterEach(() => {
    vi.restoreAllMocks()
    syncBuiltinESMExports()
  })
  /** From now on one of Node's functions fails. */
  const fails = (name: 'writeFile' | 'rm', code: string): void => {
    vi.spyOn(promises, name).mockImplementation(async (path: unknown) => {
      if (name === 'rm' && String(path).endsWith('.draft')) return
      throw Object.assign(new Error(`${code}: so it is`), { code })
    })
    syncBuiltinESMExports()
  }
  const works = (): void => {
    vi.restoreAllMocks()
    syncBuiltinESMExports()
  }

  it('that is full is told of once, and once when there is room again', async () => {
    const news: unknown[] = []
    const cache = await DiskCache.open(await scratch(), 10 * SIZE, (...one) => news.push(one))
    await cache.put(hashOf(1), blobOf(1))
    fails('writeFile', 'ENOSPC')
    for (const number of [2, 3]) await expect(cache.put(hashOf(number), blobOf(1))).rejects.toThrow('ENOSPC')
    const trouble = ['blobs cannot be written to the cache on disk: ENOSPC: so it is', true]
    expect(news).toEqual([trouble])
    works()
    for (const number of [2, 3]) await cache.put(hashOf(number), blobOf(number))
    const again = ['blobs are written to the cache on disk again', false]
    expect(news).toEqual([trouble, again])
    await expect(cache.put('no hash', blobOf(1))).rejects.toThrow(TypeError)
    expect(news).toHaveLength(2)
  })

  it('that is full keeps the file that was to be written anew, and it counts', async () => {
    const folder = await scratch()
    const cache = await DiskCache.open(folder, 2 * SIZE)
    for (const number of [1, 2]) await cache.put(hashOf(number), blobOf(number))
    fails('writeFile', 'ENOSPC')
    await expect(cache.put(hashOf(1), blobOf(9))).rejects.toThrow('ENOSPC')
    expect([cache.size, cache.bytes]).toEqual([2, 2 * SIZE])
    expect(toHex((await cache.get(hashOf(1)))!)).toBe(toHex(blobOf(1)))
    works()
    for (const number of [3, 4]) await cache.put(hashOf(number), blobOf(number))
    expect((await filesIn(folder)).sort()).toEqual([3, 4].map(hashOf))
  })

  it('that deletes nothing for a while holds no more blobs, and what was too much is deleted then', async () => {
    const folder = await scratch()
    const cache = await DiskCache.open(folder, SIZE)
    await cache.put(hashOf(1), blobOf(1))
    fails('rm', 'EBUSY')
    for (const number of [2, 3]) await expect(cache.put(hashOf(number), blobOf(1))).rejects.toThrow('EBUSY')
    expect(await filesIn(folder)).toEqual([hashOf(1)])
    works()
    await cache.put(hashOf(4), blobOf(4))
    expect(await filesIn(folder)).toEqual([hashOf(4)])
    expect(cache.size).toBe(1)
  })
})

describe('what somebody else put in the place of a blob’s file', () => {
  // Four of them would have all threads that Node has for files.
  it.skipIf(process.platform === 'win32')(
    'is not waited for where it is a pipe, and is replaced',
    async () => {
      const folder = await scratch()
      const cache = await DiskCache.open(folder, 10 * SIZE)
      for (const number of range(5)) {
        await cache.put(hashOf(number), blobOf(1))
        await rm(pathOf(folder, number))
        execFileSync('mkfifo', [pathOf(folder, number)])
      }
      const got = await Promise.allSettled(range(5).map(async (number) => await cache.get(hashOf(number))))
      expect(got.map((one) => one.status === 'rejected' && String(one.reason))).toEqual(
        range(5).map(() => 'Error: not a file'),
      )
      await cache.put(hashOf(4), blobOf(4))
      expect(toHex((await cache.get(hashOf(4)))!)).toBe(toHex(blobOf(4)))
    },
  )

  it('is not read where it is longer, and is nothing where it is shorter', async () => {
    const folder = await scratch()
    const cache = await DiskCache.open(folder, 10 * SIZE)
    await cache.put(hashOf(1), blobOf(1))
    // Of 64 GB, which take no room on the disk.
    await truncate(pathOf(folder, 1), 2 ** 36)
    await expect(cache.get(hashOf(1))).rejects.toThrow('a file of 68719476736 bytes')
    await truncate(pathOf(folder, 1), SIZE + 1)
    await expect(cache.get(hashOf(1))).rejects.toThrow('longer than any value')
    await truncate(pathOf(folder, 1), SIZE - 1)
    expect(await cache.get(hashOf(1))).toBeNull()
  })
})

describe('a proxy with a cache on disk', () => {
  it('tells once that nothing can be written to it, and answers all the same', async () => {
    const chain = await proxiedChain()
    const cache = { folder: await scratch(), bytes: 100 * SIZE }
    const proxied = await proxyOf(chain, [(await endpointOf(chain)).url], { cache })
    // A file stands where the folder was.
    await rm(cache.folder, { recursive: true })
    await writeFile(cache.folder, '')
    expect((await ask(proxied, '/eth/v1/beacon/blobs/95')).status).toBe(200)
    const told = (): string[] => proxied.news.filter((text) => text.includes('cache on disk'))
    await expect.poll(told, PATIENCE).toHaveLength(1)
    expect(told()[0]).toMatch(/^blobs cannot be written to the cache on disk: E/)
  })

  it('needs no endpoint’s blobs after a restart, and none of what has been spoilt is given out', async () => {
    const chain = await proxiedChain()
    const server = await endpointOf(chain)
    const cache = { folder: await scratch(), bytes: 100 * SIZE }
    const path = '/eth/v1/beacon/blobs/95'
    const first = await proxyOf(chain, [server.url], { cache })
    expect((await ask(first, path)).status).toBe(200)
    await expect.poll(() => blobsIn(cache.folder), PATIENCE).toHaveLength(3)
    await first.proxy.stop(1_000)

    // From here on endpoints give the block and headers, and no data.
    const data = ['blobs', 'blob_sidecars', 'data_column_sidecars'] as const
    server.faults.rules = [{ fault: { kind: 'status', code: 503 }, routes: data }]
    const second = await proxyOf(chain, [server.url], { cache })
    expect(second.proxy.cached).toBe(3)
    const again = await ask(second, path)
    expect(digestOf(again.json['data'])).toBe(digestOf(blobsAt(chain, 95)))
    await second.proxy.stop(1_000)

    const [spoilt] = await filesIn(cache.folder)
    const file = join(cache.folder, spoilt!.slice(4, 6), spoilt!)
    const right = await readFile(file)
    await writeFile(file, flip(right, 1_000))
    const third = await proxyOf(chain, [server.url], { cache, deadlineMs: 6_000, timeoutMs: 1_000 })
    const refused = await ask(third, path)
    expect(refused.status).toBe(503)
    // The others are right, and are given to whoever wants them alone.
    const metrics = new TextDecoder().decode((await ask(third, '/metrics', {})).bytes)
    expect(metrics).toMatch(/upstream_false_total\{endpoint="cache",role="cache"\} 1/)
    server.faults.rules = []
    const mended = await ask(third, path)
    expect(digestOf(mended.json['data'])).toBe(digestOf(blobsAt(chain, 95)))
    await expect.poll(async () => right.equals(await readFile(file)), PATIENCE).toBe(true)
    await third.proxy.stop(1_000)
    const fourth = await proxyOf(chain, [server.url], { cache })
    server.faults.rules = [{ fault: { kind: 'status', code: 503 }, routes: data }]
    expect((await ask(fourth, path)).status).toBe(200)
  })
})
