/** What data costs before it is refused, and on its way to a worker: nothing is cloned that was given away, nor set aside for what is bad. */
import { createVerifier, fromSource, MemoryCache, type Verifier } from 'blobcheck'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { isBoundedJson } from '../../dist/beacon/json-bounds.js'
import { dataColumnSidecarSsz } from '../../dist/beacon/ssz/sidecar-json.js'
import { concat } from '../support/bytes.ts'
import { inBrowser } from '../support/files.ts'
import { makeBlob, range } from '../support/make.ts'

const threads = inBrowser ? globalThis : await import(/* @vite-ignore */ 'node:worker_threads')

let verifier: Verifier | undefined
afterEach(async () => {
  vi.restoreAllMocks()
  await verifier?.dispose()
})

/** The bytes of buffers that messages to workers hold, and of those that they do not transfer. */
function countCloned(): { bytes: number; sent: number } {
  const cloned = { bytes: 0, sent: 0 }
  const { prototype } = threads.Worker as unknown as { prototype: { postMessage(...args: unknown[]): void } }
  const original = prototype.postMessage
  vi.spyOn(prototype, 'postMessage').mockImplementation(function (this: unknown, ...args: unknown[]) {
    const transferred = new Set((Array.isArray(args[1]) ? args[1] : []) as unknown[])
    const seen = new Set<unknown>()
    const visit = (value: unknown): void => {
      if (typeof value !== 'object' || value === null || seen.has(value)) return
      seen.add(value)
      const buffer = ArrayBuffer.isView(value) ? value.buffer : value
      if (buffer instanceof ArrayBuffer) {
        if (!seen.has(buffer)) cloned.sent += buffer.byteLength
        if (!transferred.has(buffer) && !seen.has(buffer)) cloned.bytes += buffer.byteLength
        seen.add(buffer)
      } else if (!ArrayBuffer.isView(value)) Object.values(value).forEach(visit)
    }
    visit(args[0])
    original.apply(this, args)
  })
  return cloned
}

describe('memory that was taken over', () => {
  const own = (): object[] => range(8).map((at) => structuredClone(makeBlob(at + 1)))
  const ofOneBuffer = (): object[] => {
    const items = own() as Record<'blob' | 'commitment' | 'proof', Uint8Array>[]
    const all = concat(...items.flatMap(({ blob, commitment, proof }) => [blob, commitment, proof]))
    return items.map((_, at) => {
      const from = at * 131_168
      return {
        blob: all.subarray(from, from + 131_072),
        commitment: all.subarray(from + 131_072, from + 131_120),
        proof: all.subarray(from + 131_120, from + 131_168),
      }
    })
  }

  it.each([
    ['of one item each', own],
    ['that all items share', ofOneBuffer],
  ])('%s is cloned for no worker', async (_name, make) => {
    verifier = await createVerifier({ workers: 2, cache: false })
    const items = make()
    const cloned = countCloned()
    const verdicts = await verifier.verifyBlobs(items as never, { transfer: true })
    expect(new Set(verdicts.map(({ status }) => status))).toEqual(new Set(['valid']))
    // The network's numbers and the like; one blob alone has 131,072.
    expect(cloned.bytes).toBeLessThan(20_000)
  })
})

describe('the link kzg', () => {
  it('is verified by what this verifier remembers, and trusted by what only the cache does', async () => {
    const cache = new MemoryCache()
    const ask = async (trustCache: boolean): Promise<unknown[]> => {
      verifier = await createVerifier({ workers: 0, cache, trustCache })
      const twice = [await verifier.verifyBlobs([makeBlob(1)]), await verifier.verifyBlobs([makeBlob(1)])]
      await verifier.dispose()
      return twice.flat().map((verdict) => ('via' in verdict ? [verdict.via, verdict.links.kzg] : verdict))
    }
    const computed = [
      ['kzg', 'verified'],
      ['cache', 'verified'],
    ]
    expect(await ask(true)).toEqual(computed)
    expect(await ask(true)).toEqual([
      ['cache', 'trusted'],
      ['cache', 'trusted'],
    ])
    expect(await ask(false)).toEqual(computed)
  })
})

describe('JSON', () => {
  it('is measured before it is parsed, as text and as bytes', async () => {
    const deep = '['.repeat(100_000)
    const many = `{"data":[${'{},'.repeat(1_100_000)}{}]}`
    // With few commas: what they separate has eight lists, or three objects with a name each.
    const lists = `[${'[[[[[[[[]]]]]]]],'.repeat(131_072)}1]`
    const names = `[${'{"a":{"b":{"c":1}}},'.repeat(174_763)}1]`
    for (const text of [deep, many, lists, names]) {
      expect(isBoundedJson(text)).toBe(false)
      expect(isBoundedJson(new TextEncoder().encode(text))).toBe(false)
    }
    const quoted = JSON.stringify({ data: [deep, '\\', '\\"[', 'é[[', { a: { b: [1] } }] })
    expect(isBoundedJson(quoted)).toBe(true)
    expect(isBoundedJson(new TextEncoder().encode(quoted))).toBe(true)

    verifier = await createVerifier({ workers: 0, cache: false })
    const parse = vi.spyOn(JSON, 'parse')
    expect(await verifier.verifyBlobSidecars(many)).toMatchObject([{ status: 'malformed' }])
    expect(parse).not.toHaveBeenCalled()
  })

  it('of a column has its lengths looked at before memory is set aside for it', () => {
    const sidecar = { index: '0', column: Array(4_096).fill('0x'), kzg_commitments: [], kzg_proofs: [] }
    const allocated = vi.spyOn(globalThis, 'Uint8Array')
    expect(() => dataColumnSidecarSsz(sidecar)).toThrow('cell-length')
    const lengths = allocated.mock.calls.map((call: readonly unknown[]) => call[0])
    expect(lengths.every((length) => !(typeof length === 'number' && length > 10_000))).toBe(true)
  })
})

describe('a byte array that is too long', () => {
  it('is refused for its length, and not copied', async () => {
    verifier = await createVerifier({ workers: 1, cache: false })
    const item = { ...makeBlob(1), blob: new Uint8Array(64 << 20) }
    const cloned = countCloned()
    const verdicts = await verifier.verifyBlobs([item, { ...item, blob: `0x${'00'.repeat(1 << 20)}` }])
    expect(verdicts).toMatchObject([
      { status: 'malformed', reason: 'blob-length' },
      { status: 'malformed', reason: 'blob-length' },
    ])
    expect(cloned.bytes).toBeLessThan(20_000)
    // Pooled buffers, for the items and for their units.
    expect(cloned.sent).toBeLessThan(16 << 20)
  })
})

describe('arguments that throw when they are read', () => {
  const foreign = new RangeError('not ours')
  const hostile = (target: object): never =>
    new Proxy(target, {
      get(_target, key) {
        if (key === 'length') return 2
        throw foreign
      },
    }) as never

  it('are bad items, or misuse', async () => {
    verifier = await createVerifier({ workers: 0, cache: false })
    expect(await verifier.verifyBlobs(hostile([]))).toMatchObject([
      { status: 'malformed' },
      { status: 'malformed' },
    ])
    await expect(verifier.verifyBlobs([], hostile({}))).rejects.toThrow(TypeError)
    await expect(verifier.verifyBlobSidecars(hostile({}))).rejects.toThrow(TypeError)
  })

  it('and abort while they are read, reject with the reason', async () => {
    verifier = await createVerifier({ workers: 0, cache: false })
    const controller = new AbortController()
    const item = {
      ...makeBlob(1),
      get proof() {
        controller.abort(foreign)
        return new Uint8Array(48)
      },
    }
    await expect(verifier.verifyBlobs([item], { signal: controller.signal })).rejects.toBe(foreign)
  })

  it('fromSource takes a name alone', () => {
    expect(() => fromSource({}, undefined as never)).toThrow(TypeError)
  })
})
