/** What is traced, and of what: which steps a call has at all, and which of its items a span names. */
import { beforeEach, describe, expect, it } from 'vitest'
import { type TraceEvent, Tracer } from '../../dist/verifier/trace.js'

let events: TraceEvent[]
let tracer: Tracer
beforeEach(() => {
  events = []
  tracer = new Tracer((event) => void events.push(event))
})

type Call = Parameters<Tracer['anchor']>[0]
const callOf = (more: Partial<Call> = {}): Call => ({
  ...{ anchor: { kind: 'none' }, proposerKey: null, signal: undefined },
  ...more,
})
const told = (): unknown[] =>
  events.map(({ stage, items, worker }) => [stage, items.map(({ call, item }) => [call, item]), worker])

/** Hands tasks to workers, of which there are so many; what is to be called when a task has ended. */
function watched(workers: number): (task: object, runner?: number) => (() => void) | undefined {
  const pool: Parameters<Tracer['watch']>[0] = { workers, onTask: undefined }
  tracer.watch(pool)
  return (task, runner = 0) => pool.onTask!(task, runner)
}

describe('a call', () => {
  it('has a span for its anchor where that is a block, and for its signatures where there is a key', () => {
    const plain = callOf()
    expect([tracer.anchor(plain), tracer.signature(plain)]).toEqual([undefined, undefined])
    const whole = callOf({ anchor: { kind: 'block' }, proposerKey: new Uint8Array(48) })
    tracer.anchor(whole)!()
    tracer.signature(whole)!()
    // Calls without spans are counted as well.
    expect(told()).toEqual([
      ['anchor', [[1, null]], null],
      ['signature', [[1, null]], null],
    ])
  })

  it('has its checks and its text told by the worker that did them, whose number is none in the calling thread', () => {
    const tasks = [{}, {}]
    const call = callOf()
    tracer.parse(tasks[0]!, call)
    tracer.check(tasks[1]!, call, [{ at: 4 }, { at: 5 }])
    const hand = watched(2)
    hand(tasks[0]!, 1)!()
    hand(tasks[1]!, 0)!()
    watched(0)(tasks[1]!, 0)!()
    const checked = [
      [0, 4],
      [0, 5],
    ]
    expect(told()).toEqual([
      ['parse', [[0, null]], 1],
      ['check', checked, 0],
      ['check', checked, null],
    ])
    expect(hand({})).toBeUndefined()
  })

  it('has no checks any more once it is aborted', () => {
    const controller = new AbortController()
    const task = {}
    tracer.check(task, callOf({ signal: controller.signal }), [{ at: 0 }])
    const hand = watched(1)
    expect(hand(task)).toBeDefined()
    controller.abort()
    expect(hand(task)).toBeUndefined()
  })
})

describe('units', () => {
  const [first, second, third] = [{}, {}, {}]
  const lent = (...units: object[]): { owner: object }[] => units.map((owner) => ({ owner }))

  it('are told by the items that want them, each once, also who joins while they are computed', () => {
    const [one, other] = [callOf(), callOf()]
    // A transaction has several units, and several items may have the same.
    tracer.join(first, { call: one, at: 0 })
    tracer.join(second, { call: one, at: 0 })
    tracer.join(second, { call: one, at: 1 })
    const task = {}
    tracer.verify(task, 'kzg', lent(first, second))
    const end = watched(1)(task)!
    tracer.join(second, { call: other, at: 3 })
    end()
    expect(told()).toEqual([
      [
        'kzg',
        [
          [0, 0],
          [0, 1],
          [1, 3],
        ],
        0,
      ],
    ])
  })

  it('wait from the end of the look-up until the first worker has them, once', () => {
    const call = callOf()
    for (const [at, unit] of [first, second, third].entries()) tracer.join(unit, { call, at })
    tracer.lookUp([first, second], {})()
    const [groups, again] = [{}, {}]
    tracer.verify(groups, 'kzg', lent(first, second, third))
    tracer.verify(again, 'close', lent(first, second))
    const hand = watched(1)
    hand(groups)!()
    hand(again)!()
    const both = [
      [0, 0],
      [0, 1],
    ]
    expect(told()).toEqual([
      ['cache', both, null],
      ['queue', both, null],
      ['kzg', [...both, [0, 2]], 0],
      ['close', both, 0],
    ])
    expect(events[1]!.start).toBeGreaterThanOrEqual(events[0]!.end)
  })

  it('are looked up nowhere without a cache, and wait all the same', () => {
    tracer.join(first, { call: callOf(), at: 0 })
    tracer.lookUp([first], null)()
    const task = {}
    tracer.verify(task, 'kzg', lent(first))
    watched(1)(task)!()
    expect(told()).toEqual([
      ['queue', [[0, 0]], null],
      ['kzg', [[0, 0]], 0],
    ])
  })
})
