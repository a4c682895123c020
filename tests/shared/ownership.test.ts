/** Callers' arrays stay theirs: unchanged and undetached after every call, unless `transfer: true` gives them away. */
import { createVerifier, fromSource, type Verifier } from 'blobcheck'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { internalsOf } from '../../dist/verifier/pipeline.js'
import { concat, fromHex, toHex } from '../support/bytes.ts'
import { readText } from '../support/files.ts'
import { shared } from '../support/hostile.ts'
import { makeBadBlob, makeBlob, makeCell, realBlobs } from '../support/make.ts'
import { blobSidecarSsz, type BlobSidecarJson } from '../support/ssz.ts'

const { data } = JSON.parse(await readText('data/holesky_1409759_blob_sidecars.json')) as {
  data: BlobSidecarJson[]
}
const [first, second] = data.map(blobSidecarSsz)
if (first === undefined || second === undefined) throw new Error('the real block has fewer than two sidecars')

/** Made data shares arrays (all proofs are one array, for one): what is given away must be ours alone. */
const own = structuredClone

/** All byte arrays in a value. */
function arraysOf(value: unknown): Uint8Array[] {
  if (value instanceof Uint8Array) return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(arraysOf) : []
}

const lengths = (value: unknown): number[] => arraysOf(value).map((bytes) => bytes.byteLength)

describe.each([0, 2])("callers' arrays, with %i workers", (workers) => {
  let verifier: Verifier
  beforeAll(async () => {
    verifier = await createVerifier({ network: 'holesky', workers, cache: false })
  })
  afterAll(async () => await verifier.dispose())

  it('are unchanged and undetached, whatever the verdict, the mode, or how the call ends', async () => {
    const blobs = [
      ...(await realBlobs()),
      makeBlob(1),
      makeBadBlob(2),
      { ...makeBlob(3), proof: new Uint8Array(47) },
    ]
    const cells = [makeCell(1, 1), { ...makeCell(1, 2), cellIndex: 128 }]
    const list = concat(first, second)
    const header = fromHex(`0x${'11'.repeat(32)}`)
    const hashes = [new Uint8Array(32), new Uint8Array(32).fill(1)]
    const transaction = new Uint8Array(1000).fill(3)
    const arguments_ = [blobs, cells, first, list, header, hashes, transaction]
    const before = arraysOf(arguments_).map((bytes) => toHex(bytes))

    await verifier.verifyBlobs(blobs)
    await verifier.verifyBlobs(blobs, { mode: 'cheap', anchor: { versionedHashes: hashes } })
    await verifier.verifyCells(cells)
    await verifier.verifyBlobSidecars([first])
    await verifier.verifyBlobSidecars(list, { anchor: { header } })
    await verifier.verifyDataColumnSidecars(list)
    await verifier.verifyBlobTransaction(transaction, { fork: 'cancun' })
    const controller = new AbortController()
    const aborted = verifier.verifyBlobs(blobs, { signal: controller.signal })
    controller.abort()
    await expect(aborted).rejects.toMatchObject({ name: 'AbortError' })

    expect(arraysOf(arguments_).map((bytes) => toHex(bytes))).toEqual(before)
  })

  it('frozen lists and records are as good as others', async () => {
    const items = Object.freeze([Object.freeze(makeBlob(1))])
    expect(await verifier.verifyBlobs(items)).toMatchObject([{ status: 'valid' }])
  })

  it('are detached where transfer is asked for, and the verdicts are the same', async () => {
    const items = [own(makeBlob(1)), own(makeBadBlob(2))]
    const statuses = async (transfer: boolean): Promise<string[]> =>
      (await verifier.verifyBlobs(items, { transfer })).map(({ status }) => status)
    expect(await statuses(false)).toEqual(['valid', 'invalid'])
    expect(await statuses(true)).toEqual(['valid', 'invalid'])
    expect(new Set(lengths(items))).toEqual(new Set([0]))
  })

  it('views that share a buffer are all transferred whole', async () => {
    const { blob, commitment, proof } = makeBlob(1) as Record<'blob' | 'commitment' | 'proof', Uint8Array>
    const all = concat(blob, commitment, proof, blob, commitment, proof)
    const view = (from: number, length: number): Uint8Array => all.subarray(from, from + length)
    const at = (start: number): { blob: Uint8Array; commitment: Uint8Array; proof: Uint8Array } => ({
      blob: view(start, 131_072),
      commitment: view(start + 131_072, 48),
      proof: view(start + 131_120, 48),
    })
    const verdicts = await verifier.verifyBlobs([at(0), at(131_168)], { transfer: true })
    expect(verdicts.map(({ status }) => status)).toEqual(['valid', 'valid'])
    expect(all.byteLength).toBe(0)
  })

  it('an SSZ list is transferred whole', async () => {
    const list = concat(first, second)
    const verdicts = await verifier.verifyBlobSidecars(list, { transfer: true })
    expect(verdicts.map(({ status }) => status)).toEqual(['valid', 'valid'])
    expect(list.byteLength).toBe(0)
  })

  it('the same array in two items is transferred once, and serves both', async () => {
    const item = own(makeBlob(4))
    const verdicts = await verifier.verifyBlobs([item, { ...item }], { transfer: true })
    expect(verdicts.map(({ status }) => status)).toEqual(['valid', 'valid'])
    expect(item.blob.byteLength).toBe(0)
  })

  it.each([true, false])(
    'handed over before, they are the caller’s fault, and nobody else’s (transfer: %s)',
    async (transfer) => {
      const item = { ...own(makeBlob(1)), source: 'honest' }
      const cell = { ...own(makeCell(1, 1)), source: 'honest' }
      const [list, columns] = [concat(first, second), concat(first, second)]
      const sidecar = new Uint8Array(first)
      const transaction = new Uint8Array(1000).fill(3)
      const calls = [
        async (options: object) => await verifier.verifyBlobs([item], options),
        async (options: object) => await verifier.verifyCells([cell], options),
        async (options: object) => await verifier.verifyBlobSidecars(list, options),
        async (options: object) => await verifier.verifyDataColumnSidecars(columns, options),
        async (options: object) =>
          await verifier.verifyBlobSidecars([fromSource(sidecar, 'honest')], options),
        async (options: object) =>
          await verifier.verifyBlobTransaction(transaction, { fork: 'osaka', source: 'honest', ...options }),
      ]
      for (const call of calls) await call({ transfer: true })
      for (const call of calls) await expect(call({ transfer })).rejects.toThrow(TypeError)
    },
  )

  it('what is handed over while another call has yet to read it makes that call reject', async () => {
    const items = Array.from({ length: 400 }, (_, at) => ({
      ...own(makeCell(1, at % 128)),
      source: 'honest',
    }))
    const call = verifier.verifyCells(items)
    const last = items.at(-1)!.cell as Uint8Array
    structuredClone(last.buffer, { transfer: [last.buffer] })
    await expect(call).rejects.toThrow(TypeError)
  })

  it('what cannot be transferred is copied', async () => {
    const { blob, commitment, proof } = makeBlob(1) as Record<'blob' | 'commitment' | 'proof', Uint8Array>
    const item = { blob: shared(blob), commitment: shared(commitment), proof: shared(proof) }
    expect(await verifier.verifyBlobs([item], { transfer: true })).toMatchObject([{ status: 'valid' }])
    expect(lengths(item)).toEqual([131_072, 48, 48])
  })

  it('that the platform lets nobody copy are no verdict, which would name who delivered them', async () => {
    const denied = new Error('Permission denied to access object')
    const take = vi.spyOn(internalsOf(verifier).buffers, 'take').mockImplementationOnce(() => {
      throw denied
    })
    const items = [{ ...makeBlob(1), source: 'honest' }]
    await expect(verifier.verifyBlobs(items)).rejects.toBe(denied)
    take.mockRestore()
    expect(await verifier.verifyBlobs(items)).toMatchObject([{ status: 'valid' }])
  })
})
