/** What travels home with a worker's answer: memory that was lent, and units, blobs and sidecars that are moved rather than copied. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { expose, transfer, wrap } from '../../dist/vendor/comlink.js'
import { makeParts, transactionOf } from '../support/blocks.ts'
import { concat } from '../support/bytes.ts'
import { CELL_BYTES, makeBlob, makeCell, range } from '../support/make.ts'
import { requestOf, startTasks, unitsOf, type VerifierApi } from '../support/worker-tasks.ts'

const KIB = 1 << 10

let tasks: VerifierApi
let ports: MessageChannel
/** What the worker had in its hands when it answered last. */
let answered: unknown
/** The worker, beyond a channel. */
let remote: VerifierApi
beforeEach(async () => {
  tasks = await startTasks()
  ports = new MessageChannel()
  const noting = Object.entries(tasks).map(([name, task]) => [
    name,
    async (...given: never[]) => (answered = await (task as (...given: never[]) => unknown)(...given)),
  ])
  expose(Object.fromEntries(noting), ports.port1)
  remote = wrap(ports.port2) as unknown as VerifierApi
})
afterEach(() => {
  ports.port1.close()
  ports.port2.close()
})

const memory = (bytes: number): ArrayBuffer => new ArrayBuffer(bytes)
const sizes = (buffers: readonly (ArrayBuffer | null)[]): (number | null)[] =>
  buffers.map((buffer) => buffer && buffer.byteLength)

/** Has items checked, with memory lent for them; what comes home, and what of it the worker still has. */
async function check(
  kind: 'blob' | 'cell' | 'transaction',
  items: readonly unknown[],
  unitBytes: number,
  buffer: ArrayBuffer | null = memory(10),
) {
  const lent = { buffer, taken: [memory(20), memory(30)], unitBuffer: memory(unitBytes) }
  const all = [...(buffer === null ? [] : [buffer]), ...lent.taken, lent.unitBuffer]
  const answer = await remote.check(transfer(requestOf(kind, items, lent), all))
  const { checked } = answer
  const unitsIn = (entries: typeof checked): ArrayBuffer[] =>
    entries.flatMap((entry) => {
      if ('refusal' in entry) return []
      return 'blobs' in entry ? unitsIn(entry.blobs) : [entry.unit.bytes.buffer]
    })
  const there = answered as typeof answer
  return {
    units: sizes([...new Set(unitsIn(checked))]),
    lent: sizes([answer.buffer, ...answer.taken, answer.unitBuffer]),
    left: sizes([...unitsIn(there.checked), there.buffer, ...there.taken, there.unitBuffer]),
  }
}

describe('an answer of the checks', () => {
  it('has the units in the memory that was lent for them', async () => {
    const { units, lent, left } = await check('cell', [makeCell(1, 1), makeCell(2, 2)], 10 * KIB)
    expect(units).toEqual([10 * KIB])
    expect(lent).toEqual([10, 20, 30, null])
    expect(left).toEqual([0, 0, 0, 0, 0, null])
  })

  it('has that memory beside the units where they do not fit', async () => {
    const { units, lent, left } = await check('cell', [makeCell(1, 1)], 1 * KIB)
    expect(units).toHaveLength(1)
    expect(units[0]).toBeGreaterThan(CELL_BYTES)
    expect(lent).toEqual([10, 20, 30, KIB])
    expect(left).toEqual([0, 0, 0, 0, 0])
  })

  it('has it where there are no units', async () => {
    const { units, lent, left } = await check('cell', [7, null], 10 * KIB)
    expect(units).toEqual([])
    expect(lent).toEqual([10, 20, 30, 10 * KIB])
    expect(left).toEqual([0, 0, 0, 0])
  })

  it('has the units of a transaction’s blobs as well', async () => {
    const transaction = transactionOf(await makeParts([1, 2], 7594))
    const { units, lent, left } = await check('transaction', [transaction], 300 * KIB)
    expect(units).toHaveLength(1)
    expect(lent.at(-1)).toBeNull()
    expect(left.every((bytes) => !bytes)).toBe(true)
    const apart = await check('transaction', [transaction], 1 * KIB)
    expect(apart.units).toHaveLength(1)
    expect(apart.lent.at(-1)).toBe(KIB)
    expect(apart.left.every((bytes) => bytes === 0)).toBe(true)
  })

  it('has no memory of items where there was none', async () => {
    const { lent, left } = await check('cell', [makeCell(1, 1)], 10 * KIB, null)
    expect(lent).toEqual([null, 20, 30, null])
    expect(left).toEqual([0, null, 0, 0, null])
  })
})

it('verdicts come with the units’ memory, and so do sums', async () => {
  const lend = async () => {
    const units = await unitsOf(tasks, 'cell', [makeCell(1, 1), makeCell(2, 2)])
    const buffers = units.map(({ buffer }) => buffer)
    return { units: transfer(units, buffers), expected: sizes(buffers) }
  }
  for (const ask of [remote.verify, (units: never[]) => remote.collect(units, 1)] as const) {
    const { units, expected } = await lend()
    const { returned } = await ask(units as never)
    expect(sizes(returned)).toEqual(expected)
    expect(sizes((answered as { returned: ArrayBuffer[] }).returned)).toEqual(expected.map(() => 0))
  }
})

it('sidecars that were parsed are moved; what is none comes as it is', async () => {
  const text = JSON.stringify({ data: ['0x0102', '0x03', 'none', 7] })
  const bytes = [Uint8Array.of(1, 2), Uint8Array.of(3)]
  expect(await remote.parse('blob', text)).toEqual([...bytes, 'none', 7])
  expect(answered).toEqual([new Uint8Array(0), new Uint8Array(0), 'none', 7])
})

describe('a blob that is rebuilt from its cells', () => {
  const cellOf = (c: number): Uint8Array => makeCell(c, 0).cell as Uint8Array
  /** Those of a constant are all the same. */
  const cells = (count: number): Uint8Array => concat(...range(count).map(() => cellOf(7)))

  it('is moved', async () => {
    const places = Uint32Array.from(range(64), (at) => 2 * at)
    expect(await remote.rebuild(places, cells(64))).toEqual(makeBlob(7).blob)
    expect((answered as Uint8Array).length).toBe(0)
  })

  it('is null where they are not of one blob', async () => {
    expect(await remote.rebuild(Uint32Array.from(range(65)), concat(cells(64), cellOf(8)))).toBeNull()
  })
})
