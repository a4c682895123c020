/** Heads as slots: what is remembered of those that were reported, which ones come, and which ones come again. */
import type { SampledHeader } from 'blobcheck/sampler'
import { afterEach, describe, expect, it } from 'vitest'
import { doubted, parentOf, ReportedSlots, slotTasks } from '../../dist/sampler/slots.js'
import { range } from '../support/make.ts'
import { turns, VirtualTime } from '../support/virtual-time.ts'

const time = new VirtualTime()
afterEach(() => time.end())

/** Slots with these roots, each the child of the one before. */
function reportedOf(roots: readonly (string | null)[], most = 64): ReportedSlots {
  const reported = new ReportedSlots(most)
  let parent: string | undefined
  roots.forEach((root, slot) => {
    reported.note(slot, root, parent)
    parent = root ?? parent
  })
  return reported
}

const head = (slot: number, root: string, parent?: string): SampledHeader =>
  ({ slot, root, ...(parent !== undefined && { parent_root: parent }) }) as SampledHeader

async function* each(heads: Iterable<SampledHeader>): AsyncGenerator<SampledHeader> {
  for (const one of heads) yield await Promise.resolve(one)
}

/** The tasks of such heads, in short. */
async function tasksOf(
  heads: readonly SampledHeader[],
  { catchUpSlots = 32, reported = new ReportedSlots(64) } = {},
): Promise<string[]> {
  const told: string[] = []
  for await (const task of slotTasks(each(heads), catchUpSlots, () => true, reported)) {
    const last = 'lastSlot' in task && task.lastSlot > task.slot ? `–${task.lastSlot}` : ''
    told.push(`${task.slot}${last} ${task.kind}${task.again ? ' again' : ''}`)
  }
  return told
}

describe('slots that were reported', () => {
  it('are remembered by the latest word on them, and the lowest are forgotten', () => {
    const reported = reportedOf(['a', 'b'], 2)
    expect(reported.note(1, 'B')).toBe(true)
    expect(reported.note(2, 'c')).toBe(false)
    expect(range(3).map((slot) => reported.has(slot))).toEqual([false, true, true])
    expect(range(3).map((slot) => reported.rootOf(slot))).toEqual([undefined, 'B', 'c'])
    expect([reported.slotOf('B'), reported.slotOf('b')]).toEqual([1, undefined])
    // A head is remembered while slots before it are looked up.
    expect([reported.note(9, 'j'), reported.note(3, 'd'), reported.note(4, 'e')]).toEqual([
      false,
      false,
      false,
    ])
    expect(range(10).filter((slot) => reported.has(slot))).toEqual([4, 9])
  })

  it('that are later than a new head are none of its chain, and all others may be', () => {
    const reported = reportedOf(['a', 'b', 'c'])
    reported.begin(1)
    expect(range(3).map((slot) => reported.rootOf(slot))).toEqual(['a', 'b', undefined])
    expect(reported.has(2)).toBe(true)
  })

  it('are looked up once more for each head, and are in doubt until then', () => {
    const reported = reportedOf(['a', 'b'])
    expect([reported.retry(1), reported.retry(1), reported.retry(0)]).toEqual([true, false, true])
    expect(reported.rootOf(1)).toBeUndefined()
    reported.note(1, 'b')
    reported.begin(2)
    expect(reported.retry(1)).toBe(true)
  })

  it('are those, too, that are being looked up, where the latest word counts: what was asked for before says nothing', () => {
    const reported = reportedOf(['a', 'b'])
    const [first, second] = [reported.ask(2), reported.ask(2)]
    expect([reported.has(2), reported.rootOf(2)]).toEqual([true, undefined])
    expect([first(), second()]).toEqual([false, true])
    // Nobody knew.
    expect(reported.has(2)).toBe(false)
    const overtaken = [1, 2, 3].map((slot) => reported.ask(slot))
    expect(reported.note(2, 'c')).toBe(true)
    expect(reported.retry(1)).toBe(true)
    reported.begin(2)
    expect(overtaken.map((isLatest) => isLatest())).toEqual([false, false, false])
    expect(range(4).map((slot) => reported.rootOf(slot))).toEqual(['a', undefined, 'c', undefined])
    expect(reported.has(3)).toBe(true)
  })

  it('know the blocks beside a slot, beyond those that are empty, where nothing is in doubt', () => {
    const reported = reportedOf(['a', null, null, 'd'])
    expect([1, 2, 3].map((slot) => reported.rootBefore(slot))).toEqual(['a', 'a', 'a'])
    expect([0, 1, 2].map((slot) => reported.slotAfter(slot))).toEqual([3, 3, 3])
    expect([reported.rootBefore(0), reported.slotAfter(3)]).toEqual([undefined, undefined])
    reported.retry(1)
    expect([1, 2, 3].map((slot) => reported.rootBefore(slot))).toEqual(['a', undefined, undefined])
    expect([0, 1, 2].map((slot) => reported.slotAfter(slot))).toEqual([undefined, 3, 3])
  })

  it('tell what is known in the place of a block that is said to be the next one', () => {
    const reported = reportedOf(['a', null, 'c', 'd'])
    const rivalOf = (slot: number, at: number, root: string): string | null | undefined =>
      reported.rivalOf(slot, { slot: at, root })
    expect(rivalOf(0, 2, 'C')).toBeUndefined()
    // Also where the slot of the one that is said to be has none: which one is first is what may change.
    expect([1, 2].map((at) => rivalOf(0, at, 'other'))).toEqual(['c', 'c'])
    // Of a slot that nobody has seen, the first block that is known there tells.
    expect(rivalOf(2, 9, 'other')).toBe('d')
    expect(rivalOf(3, 9, 'other')).toBeUndefined()
    // Of a block that nobody knows, it is the first one that is known.
    expect([0, 1, 2, 3].map((slot) => reported.rivalOf(slot, null))).toEqual(['c', 'c', 'd', undefined])
    // What is in doubt may be any.
    reported.retry(2)
    expect(rivalOf(0, 2, 'other')).toBeUndefined()
    expect(rivalOf(0, 1, 'other')).toBeNull()
    reported.retry(3)
    expect(rivalOf(2, 3, 'other')).toBeUndefined()
  })

  it('tell a parent that is another than the block before', () => {
    const reported = reportedOf(['a', 'b', null])
    reported.note(3, 'd', 'b')
    expect(reported.otherParent(3)).toBeUndefined()
    reported.note(3, 'd', 'a')
    expect(reported.otherParent(3)).toBe('a')
    reported.note(3, 'd')
    expect(reported.otherParent(3)).toBeUndefined()
    // Where it is not known which block is before, none is another.
    reported.note(5, 'f', 'a')
    expect(reported.otherParent(5)).toBeUndefined()
  })

  it('tell a parent that is another than the one before the first of them, where all of them are empty', () => {
    const reported = new ReportedSlots(64)
    reported.note(4, 'e', 'a')
    reported.note(5, 'f', 'e')
    expect([4, 5].map((slot) => reported.otherParent(slot))).toEqual([undefined, undefined])
    reported.note(4, null)
    reported.note(5, 'F', 'a')
    expect(reported.otherParent(5)).toBeUndefined()
    reported.note(5, 'f', 'x')
    expect(reported.otherParent(5)).toBe('x')
    // It has a block again, and another one before it.
    reported.note(4, 'E', 'x')
    expect([4, 5].map((slot) => reported.otherParent(slot))).toEqual([undefined, 'x'])
    reported.note(4, null)
    expect(reported.otherParent(5)).toBeUndefined()
  })

  it('come in order, whatever the order they were reported in', () => {
    const reported = new ReportedSlots(64)
    for (const slot of [5, 2, 9, 3, 7, 4]) reported.note(slot, `${slot}`)
    expect(reported.between(3, 9)).toEqual([3, 4, 5, 7])
  })
})

describe('a header', () => {
  it('names its parent where its source gave it, in whatever case', () => {
    expect(parentOf(head(1, '0xb', '0xAB'))).toBe('0xab')
    for (const parent of [undefined, null, 7])
      expect(parentOf(head(1, '0xb', parent as never))).toBeUndefined()
  })
})

describe('what comes again', () => {
  const again = (reported: ReportedSlots, slot: number): string[] =>
    [...doubted(slot, 32, reported)].map(({ slot, kind, again }) => `${slot} ${kind}${again ? ' again' : ''}`)

  it('is what lies between a block and its parent: it is empty now', () => {
    const reported = reportedOf(['a', 'b', null, 'd'])
    reported.note(4, 'e', 'a')
    expect(again(reported, 4)).toEqual(['1 empty again', '3 empty again'])
    expect(range(4).map((slot) => reported.rootOf(slot))).toEqual(['a', null, null, null])
  })

  it('is all that was reported before a block whose parent nobody has seen: headers are to tell', () => {
    const reported = reportedOf(['a', 'b', null])
    reported.note(3, 'd', 'x')
    expect(again(reported, 3)).toEqual(['0 look-up again', '1 look-up again', '2 look-up again'])
    expect(again(reported, 3)).toEqual([])
  })

  it('is what a block puts in doubt that was reported before its parent became known', () => {
    const reported = reportedOf(['a', 'b'])
    reported.note(3, 'd', 'a')
    reported.note(2, null)
    expect(again(reported, 2)).toEqual(['1 empty again'])
  })

  it('is nothing where each block is the child of the one before', () => {
    const reported = reportedOf(['a', null, 'c', 'd'])
    expect(range(4).flatMap((slot) => again(reported, slot))).toEqual([])
  })
})

describe('the tasks of a chain', () => {
  it('are its heads, and what lies between them: looked up, or empty where the next one is a child', async () => {
    expect(await tasksOf([head(4, 'a'), head(6, 'b'), head(8, 'c', 'b')])).toEqual([
      ...['4 header', '5 look-up', '6 header', '7 empty', '8 header'],
    ])
  })

  it('are one by one as far back as is caught up with, and one run before', async () => {
    const far = [head(0, 'a'), head(10, 'b')]
    expect(await tasksOf(far, { catchUpSlots: 2 })).toEqual([
      ...['0 header', '1–7 missed', '8 look-up', '9 look-up', '10 header'],
    ])
    expect(await tasksOf([far[0]!, head(10, 'b', 'a')], { catchUpSlots: 0 })).toEqual([
      ...['0 header', '1–9 empty', '10 header'],
    ])
    expect(await tasksOf(far, { catchUpSlots: 9 })).toHaveLength(11)
  })

  it('begin anew with a lower head of another block, after which what was later comes again', async () => {
    const heads = [head(0, 'a'), head(1, 'b'), head(2, 'c'), head(1, 'x'), head(3, 'y')]
    expect(await tasksOf(heads)).toEqual([
      ...['0 header', '1 header', '2 header', '1 header again', '2 look-up again', '3 header'],
    ])
  })

  it('are empty before a head whose parent was reported before the last one, which comes again', async () => {
    const heads = [head(1, 'a'), head(2, 'b', 'a'), head(4, 'd', 'a'), head(6, 'f', 'd')]
    expect(await tasksOf(heads)).toEqual([
      ...['1 header', '2 header', '3 empty', '2 empty again', '4 header', '5 empty', '6 header'],
    ])
  })

  it('are empty before a child of the last head, also where more slots are remembered that came after that one', async () => {
    const heads = [head(0, 'a'), head(1, 'b', 'a'), head(0, 'x'), head(3, 'd', 'x')]
    // The lowest slot is forgotten, which is that of the last head.
    const reported = new ReportedSlots(2)
    expect(await tasksOf(heads, { reported })).toEqual([
      ...['0 header', '1 header', '0 header again', '1 empty again', '2 empty', '3 header'],
    ])
  })

  it('are all that is in doubt, once more for each head whose parent nobody has seen', async () => {
    const heads = [head(0, 'a'), head(1, 'b', 'a'), head(2, 'c', 'x'), head(3, 'd', 'y')]
    expect(await tasksOf(heads)).toEqual([
      ...['0 header', '1 header', '0 look-up again', '1 look-up again', '2 header'],
      ...['0 look-up again', '1 look-up again', '2 look-up again', '3 header'],
    ])
  })

  it('begin anew with a lower head in a slot that is being looked up, whose look-up says nothing then', async () => {
    const reported = new ReportedSlots(64)
    const heads = [head(0, 'a'), head(2, 'c'), head(1, 'x')]
    const lookUps: (() => boolean)[] = []
    const told: string[] = []
    for await (const { slot, kind, again } of slotTasks(each(heads), 32, () => true, reported)) {
      told.push(`${slot} ${kind}${again ? ' again' : ''}`)
      if (kind === 'look-up') lookUps.push(reported.ask(slot))
    }
    expect(told).toEqual(['0 header', '1 look-up', '2 header', '1 header again'])
    expect(lookUps.map((isLatest) => isLatest())).toEqual([false])
  })

  it('are in doubt, all of them, before the first of them is looked up', async () => {
    const reported = new ReportedSlots(64)
    const heads = [head(0, 'a'), head(2, 'c', 'a'), head(3, 'd', 'x')]
    const chain: Record<number, [string | null, string?]> = { 0: ['a'], 1: ['x', 'a'], 2: [null] }
    for await (const { slot, kind } of slotTasks(each(heads), 32, () => true, reported)) {
      if (kind !== 'look-up') continue
      expect(range(3).filter((later) => later >= slot && reported.rootOf(later) !== undefined)).toEqual([])
      // What is found tells nothing against itself by the block that was in slot 2.
      reported.note(slot, ...chain[slot]!)
      expect(doubted(slot, 32, reported)).toEqual([])
    }
    expect(range(4).map((slot) => reported.rootOf(slot))).toEqual(['a', 'x', null, 'd'])
  })

  it('are none where a head is told twice, in whatever case, or late', async () => {
    const heads = [head(1, 'a'), head(1, 'A'), head(3, 'c', 'a'), head(1, 'a'), head(0, 'x')]
    expect(await tasksOf(heads)).toEqual(['1 header', '2 empty', '3 header'])
  })
})

describe('a flood lets timers go off after every 64', () => {
  /** How many were seen before the first timer and before the second one, while no time has passed. */
  async function seenBefore(heads: Iterable<SampledHeader>, seen: () => number): Promise<number[]> {
    time.begin()
    const from = performance.now()
    const all = (async () => {
      for await (const _task of slotTasks(each(heads), 1_000, () => true, new ReportedSlots(64)));
    })()
    const counts: number[] = []
    for (let timer = 0; timer < 2; timer++) {
      await turns(9)
      counts.push(seen())
      await time.pass(0)
    }
    await time.until(all)
    expect(performance.now()).toBe(from)
    return counts
  }

  it('of heads, newer or not', async () => {
    let pulled = 0
    const heads = function* (): Generator<SampledHeader> {
      while (pulled < 300) {
        pulled++
        yield head(5, 'a')
      }
    }
    expect(await seenBefore(heads(), () => pulled)).toEqual([64, 128])
  })

  it('of slots between two of them', async () => {
    const reported = new ReportedSlots(1_000)
    time.begin()
    const from = performance.now()
    const seen: number[] = []
    const heads = [head(0, 'a'), head(300, 'b', 'a')]
    const all = (async () => {
      for await (const { slot } of slotTasks(each(heads), 1_000, () => true, reported)) seen.push(slot)
    })()
    await turns(9)
    // Two heads, and as many slots as make 64 with them but for the last, which comes after the timer.
    expect(seen.length).toBe(62)
    await time.until(all)
    expect(seen).toEqual(range(301))
    expect(performance.now()).toBe(from)
  })
})
