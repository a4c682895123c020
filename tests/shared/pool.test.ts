/** Who is asked to do a task: whoever was idle last, and whoever would have to be started again last of all. */
import { platform } from '#platform'
import { expose } from 'comlink'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { Pool, retryOptions, type Task } from '../../dist/runtime/pool/pool.js'
import { startPool } from '../../dist/runtime/pool/start.js'
import type { WorkerBase } from '../../dist/runtime/pool/protocol.js'
import { holdLock } from '../../dist/runtime/pool/hold-lock.js'
import { createLifeline } from '../../dist/runtime/pool/lifeline.js'
import { CRASHED, WorkerCrashed } from '../../dist/runtime/errors.js'
import { DisposedError } from 'blobcheck'
import { useGlobalTimers } from '../support/global-timers.ts'
import { turn, until } from '../support/make.ts'

/** Says who it is, when it is let go. */
interface Api extends WorkerBase {
  name(gate: string): Promise<number>
  fail(): void
}

let pool: Pool<Api>
let spawned = 0
let terminated = 0
/** What workers have said: each answers a ping, says that it is set up, and that it holds its lock, where it has one. */
let words: number[]
const WORDS_EACH = createLifeline() === null ? 2 : 3
/** What the kernel's own probe finds, and those where it finds another thing. */
let isSound = true
let unsound: Set<number>
/** Workers that never say that they are set up, that fail at it, and those that do not answer any more when they are asked for a sign of life. */
let [stuck, broken, silent]: Set<number>[] = []
/** Whether a worker's end is told of while it is being ended, as Deno does. */
let isTold = false
/** What tasks wait for, by name; and those that are at it. */
let gates: Map<string, () => void>

const never = new Promise<never>(() => {})
const host = {
  part: 'test',
  spawn: () => spawn(),
  inline: () => Promise.reject(new Error('not in this thread')),
}

/** A worker in this thread, behind a wire like any other. */
function spawn() {
  const self = spawned++
  const { port1, port2 } = new MessageChannel()
  const api: Api = {
    async setUp() {
      if (broken!.has(self)) throw new Error('broken')
      if (stuck!.has(self)) await never
      return isSound && !unsound.has(self)
    },
    hold: holdLock,
    ping: () => (silent!.has(self) ? never : 'test') as string,
    name: (gate) => new Promise((resolve) => gates.set(gate, () => resolve(self))),
    fail: () => {
      throw new Error('on purpose')
    },
  }
  expose(api, port2)
  const ours = words
  port1.addEventListener('message', () => ours.push(self))
  let died = (_cause: Error): void => {}
  const terminate = (): void => {
    terminated++
    if (isTold) died(new Error('it has ended'))
    for (const port of [port1, port2]) port.close()
  }
  return { endpoint: port1, onDeath: (callback: typeof died) => void (died = callback), terminate }
}

beforeEach(async () => {
  ;[spawned, terminated, isSound, isTold] = [0, 0, true, false]
  ;[gates, unsound] = [new Map(), new Set()]
  ;[stuck, broken, silent] = [new Set(), new Set(), new Set()]
  await startPoolOfThree()
})
afterEach(() => {
  pool.dispose()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** A pool of which each worker is there that comes at all: not every browser has them come in the order in which they were started. */
async function startPoolOfThree(): Promise<void> {
  ;[spawned, words] = [0, []]
  pool = new Pool<Api>(host, { kernel: 'simd128', module: null as never }, 3)
  await pool.start()
  await until(areThere)
}

/** Whether all have said what they say at their start. */
const areThere = (): boolean => words.length === 3 * WORDS_EACH - stuck!.size

/** Lets fake time pass, by seconds, until something is so; what is under way in other threads and ports goes on meanwhile. */
async function passUntil(isSo: () => boolean): Promise<number> {
  let seconds = 0
  for (; !isSo(); seconds++) {
    await vi.advanceTimersByTimeAsync(1_000)
    await new Promise((resolve) => soon(resolve))
  }
  return seconds
}
const { setTimeout: soon } = globalThis

const waiting =
  (gate: string): Task<number, Api> =>
  (api) =>
    api.name(gate)

/** Has as many tasks done at once as there are letters, which end in their order. Who did each. */
async function inOrder(letters: string): Promise<number[]> {
  const tasks = [...letters].map((letter) => [letter, pool.run(waiting(letter))] as const)
  const names: number[] = []
  for (const [letter, task] of tasks.sort(([a], [b]) => a.localeCompare(b))) {
    await until(() => gates.has(letter))
    gates.get(letter)!()
    names.push(await task)
  }
  gates.clear()
  return names
}

it('a task goes to the first worker, and the next to the same', async () => {
  expect(await inOrder('a')).toEqual([0])
  expect(await inOrder('a')).toEqual([0])
})

it('tasks go to those who were idle last, before those who were idle for longer', async () => {
  expect(await inOrder('bac')).toEqual([1, 0, 2])
  // 2 was done last, before it 0, before it 1.
  expect(await inOrder('abc')).toEqual([2, 0, 1])
  expect(await inOrder('ba')).toEqual([0, 1])
  // 2 has waited for longest now.
  expect(await inOrder('abc')).toEqual([1, 0, 2])
})

it('a worker that crashed has to be started again, and is asked last', async () => {
  expect(await inOrder('abc')).toEqual([0, 1, 2])
  expect(await pool.attempt((api) => api.fail())).toBe(CRASHED) // 2
  expect(await inOrder('ab')).toEqual([1, 0])
  expect(spawned).toBe(3)
  expect(await inOrder('abc')).toEqual([0, 1, 3])
})

it('a worker whose end is told of while it is being ended is disposed of like others', async () => {
  isTold = true
  const task = pool.run(waiting('a'))
  await until(() => gates.has('a'))
  pool.dispose()
  await expect(task).rejects.toThrow(DisposedError)
  expect(terminated).toBe(3)
})

it('a worker that has started is asked like others, however lately another one in its place did not', async () => {
  broken!.add(3)
  const other = new Pool<Api>(host, { kernel: 'simd128', module: null as never }, 3)
  onTestFinished(() => other.dispose())
  await other.start()
  await until(() => terminated === 1)
  pool.dispose()
  pool = other
  const task = pool.run(waiting('a'), { on: 0 })
  await until(() => gates.has('a'))
  gates.get('a')!()
  expect(await task).toBe(6)
  gates.clear()
  expect(new Set(await inOrder('abc'))).toEqual(new Set([4, 5, 6]))
})

it('no worker is started for a task that is to be done again, once the pool is disposed of', async () => {
  const task = pool.run(waiting('a'), retryOptions)
  // It waits for its worker’s sign of life.
  pool.dispose()
  await expect(task).rejects.toThrow(DisposedError)
  expect([spawned, terminated]).toEqual([3, 3])
})

it('a result of null is a result, and a crash is none', async () => {
  let runs = 0
  const nothing: Task<null, Api> = async (api) => {
    runs++
    await api.ping()
    return null
  }
  expect(await pool.attempt(nothing)).toBeNull()
  expect(await pool.attemptTwice(nothing)).toBeNull()
  expect(runs).toBe(2)
  const fails: Task<void, Api> = (api) => {
    runs++
    return api.fail()
  }
  expect(await pool.attemptTwice(fails)).toBe(CRASHED)
  expect(runs).toBe(4)
  expect(await pool.runTwice(nothing)).toBeNull()
  await expect(pool.runTwice(fails)).rejects.toThrow(WorkerCrashed)
  expect(runs).toBe(7)
})

it('a task that enqueues others as it begins leaves each worker with one at a time', async () => {
  // All three have started by then, so that tasks begin at once.
  await inOrder('abc')
  const others: Promise<number>[] = []
  const first = pool.run((api) => {
    for (const gate of 'bcd') others.push(pool.run(waiting(gate)))
    return api.name('a')
  })
  await until(() => ['a', 'b', 'c'].every((gate) => gates.has(gate)))
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setTimeout(resolve, 5))
  expect(gates.has('d')).toBe(false)
  gates.get('a')!()
  const owner = await first
  await until(() => gates.has('d'))
  for (const gate of 'bcd') gates.get(gate)!()
  const owners = await Promise.all(others)
  expect(new Set([owner, owners[0], owners[1]]).size).toBe(3)
  expect(owners[2]).toBe(owner)
  // None was lost, and none is there twice.
  gates.clear()
  expect(new Set(await inOrder('abc')).size).toBe(3)
})

it('rehearses one worker after the other, the last one first, until each says that it is over', async () => {
  const answers = new Map<number, number>()
  const names: number[] = []
  await pool.rehearse(async (api) => {
    const step = api.name('step')
    await until(() => gates.has('step'))
    gates.get('step')!()
    gates.clear()
    const name = await step
    names.push(name)
    answers.set(name, (answers.get(name) ?? 0) + 1)
    return answers.get(name) === 2
  })
  expect(names).toEqual([2, 2, 1, 1, 0, 0])
  expect(await inOrder('abc')).toEqual([0, 1, 2])
})

it.each(['run', 'runOnAll'] as const)(
  'the first task (%s) ends the rehearsal after its step',
  async (how) => {
    let steps = 0
    const rehearsal = pool.rehearse(async (api) => {
      steps++
      await api.name('step')
      return false
    })
    await until(() => gates.has('step'))
    // It goes to a worker that does not rehearse, at once.
    const task =
      how === 'run' ? pool.run(waiting('a')) : pool.runOnAll(async (api) => void (await api.ping()))
    if (how === 'run') {
      await until(() => gates.has('a'))
      gates.get('a')!()
      expect(await task).toBe(0)
    }
    gates.get('step')!()
    await Promise.all([rehearsal, task])
    expect(steps).toBe(1)
  },
)

it('who asks at once finds no worker rehearsing', async () => {
  const rehearsal = pool.rehearse(() => Promise.reject(new Error('a step was begun')))
  const task = pool.run(waiting('a'))
  await until(() => gates.has('a'))
  gates.get('a')!()
  expect(await task).toBe(0)
  await rehearsal
  gates.clear()
  expect(await inOrder('abc')).toEqual([0, 1, 2])
  expect(spawned).toBe(3)
})

it('a rehearsal ends quietly where its worker crashes, and with the pool', async () => {
  let crashes = 0
  pool.onCrash = () => crashes++
  await pool.rehearse(async (api) => (await api.fail(), false))
  expect(crashes).toBe(1)
  const rehearsal = pool.rehearse(async (api) => (await api.name('step'), false))
  await until(() => gates.has('step'))
  pool.dispose()
  await rehearsal
})

it('a start that fails leaves no worker behind', async () => {
  ;[spawned, isSound] = [0, false]
  let compiled = 0
  const start = startPool({
    ...{ host, workers: 2, orInline: false, kernel: 'auto', onlyBaseline: false, onWarning: undefined },
    compile: async () => {
      if (compiled++ > 0) throw new Error('offline')
      return null as never
    },
  })
  await expect(start).rejects.toThrow('offline')
  expect({ spawned, terminated }).toEqual({ spawned: 2, terminated: 2 })
})

describe('a kernel that fails its probe in a worker that was started later', () => {
  const baseline = { kernel: 'simd128', module: null as never } as const
  beforeEach(async () => {
    expect(await inOrder('abc')).toEqual([0, 1, 2])
    unsound.add(3)
    expect(await pool.attempt((api) => api.fail())).toBe(CRASHED) // 2
  })

  it('does no task: what tells of it may put another kernel in its place, and the task is tried on that', async () => {
    let told = 0
    pool.onUnsound = async () => {
      told++
      await turn()
      pool.replaceKernel(baseline)
    }
    const tasks = [...'abc'].map((gate) => pool.attemptTwice(waiting(gate)))
    await until(() => gates.has('a') && gates.has('b') && told === 1)
    for (const gate of 'ab') gates.get(gate)!()
    await until(() => gates.has('c'))
    gates.get('c')!()
    const names = await Promise.all(tasks)
    expect(names.slice(0, 2)).toEqual([1, 0])
    expect(names[2]).toBeGreaterThan(3)
    expect(told).toBe(1)
  })

  it('does no task where there is no other kernel', async () => {
    const tasks = [...'abc'].map((gate) => pool.attempt(waiting(gate)))
    expect(await tasks[2]).toBe(CRASHED)
    for (const gate of 'ab') gates.get(gate)!()
    expect(await Promise.all(tasks)).toEqual([1, 0, CRASHED])
  })
})

describe('a worker that stalls', () => {
  it('when it is to start, keeps no task to itself that another one can do', async () => {
    pool.dispose()
    stuck!.add(0)
    await startPoolOfThree()
    expect(await inOrder('ab')).toEqual([1, 2])
    // A task more than there are workers waits for one of those, and not for that one.
    const tasks = [...'abc'].map((gate) => pool.run(waiting(gate)))
    await until(() => gates.has('a') && gates.has('b'))
    gates.get('a')!()
    const first = await tasks[0]!
    await until(() => gates.has('c'))
    for (const gate of 'bc') gates.get(gate)!()
    expect(await tasks[2]).toBe(first)
    expect(await tasks[1]).not.toBe(0)
  })

  it('when it is to start, is given up, and left alone for a while', async () => {
    pool.dispose()
    stuck!.add(0)
    useGlobalTimers()
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    void startPoolOfThree()
    await passUntil(areThere)
    const before = terminated
    expect(await passUntil(() => terminated > before)).toBeGreaterThan(20)
    vi.useRealTimers()
    expect(await inOrder('ab')).toEqual([1, 2])
    expect(spawned).toBe(3)
  })

  it('in a task, is replaced, and the task has crashed', async () => {
    useGlobalTimers()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    let result: unknown
    void pool.attempt(waiting('never')).then((answer) => (result = answer))
    // An honest task has its time.
    expect(await passUntil(() => result !== undefined)).toBeGreaterThan(60)
    expect(result).toBe(CRASHED)
    expect(terminated).toBe(1)
    vi.useRealTimers()
    expect(new Set(await inOrder('abc'))).toEqual(new Set([1, 2, 3]))
  })

  it('while it idles, is found out before a task is tried again on it', async () => {
    useGlobalTimers()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    silent!.add(0)
    let result: unknown
    void pool.attempt(waiting('a'), retryOptions).then((answer) => (result = answer))
    expect(await passUntil(() => gates.has('a'))).toBeGreaterThan(1)
    gates.get('a')!()
    await passUntil(() => result !== undefined)
    expect([result, terminated]).toEqual([3, 1])
  })
})

it('a worker whose page is frozen while it starts, for however long, is there when the page goes on', async () => {
  pool.dispose()
  ;[spawned, terminated] = [0, 0]
  const timers = new Set<() => void>()
  const add = (_: number, act: () => void): (() => void) => {
    timers.add(act)
    return () => void timers.delete(act)
  }
  const spies = (['after', 'every'] as const).map((name) => vi.spyOn(platform, name).mockImplementation(add))
  onTestFinished(() => {
    for (const spy of spies) spy.mockRestore()
  })
  pool = new Pool<Api>(host, { kernel: 'simd128', module: null as never }, 2)
  const start = pool.start()
  expect([spawned, timers.size > 2]).toEqual([2, true])
  // All timers are due then, each once, and go off before what the workers have said meanwhile is heard.
  for (const act of [...timers]) act()
  expect(await start).toBe(true)
  const names = await inOrder('ab')
  expect([new Set(names), spawned, terminated]).toEqual([new Set([0, 1]), 2, 0])
})

it('a lock that cannot even be asked for is not held', async () => {
  vi.stubGlobal('navigator', undefined)
  expect(await holdLock('no lock')).toBe(false)
})

describe('workers that cannot be started again', () => {
  it('are asked last, and those that are left do everything', async () => {
    expect(await inOrder('abc')).toEqual([0, 1, 2])
    for (const name of [3, 4, 5]) broken!.add(name)
    expect(await pool.attempt((api) => api.fail())).toBe(CRASHED) // 2
    expect(await inOrder('ab')).toEqual([1, 0])
    // The third one is tried where it is needed, costs that task an attempt, and is left alone then.
    const tasks = [...'abc'].map((gate) => pool.attemptTwice(waiting(gate)))
    await until(() => gates.has('a') && gates.has('b') && spawned === 4)
    for (const gate of 'ab') gates.get(gate)!()
    await until(() => gates.has('c'))
    gates.get('c')!()
    expect(new Set(await Promise.all(tasks))).toEqual(new Set([0, 1]))
    expect(spawned).toBe(4)
  })

  it('at all, fail each task at once, and are there again when they can be', async () => {
    for (let name = 3; name < 20; name++) broken!.add(name)
    for (let at = 0; at < 3; at++) expect(await pool.attempt((api) => api.fail())).toBe(CRASHED)
    for (let at = 0; at < 4; at++) expect(await pool.attemptTwice(waiting('a'))).toBe(CRASHED)
    broken!.clear()
    expect(new Set(await inOrder('abc')).size).toBe(3)
  })
})

describe('the calling thread in the place of workers', () => {
  it('takes over another kernel once there is memory for it again', async () => {
    let hasMemory = true
    const inThread: Api = {
      setUp: () => (hasMemory ? Promise.resolve(true) : Promise.reject(new Error('no memory'))),
      hold: holdLock,
      ping: () => 'test',
      name: () => Promise.resolve(7),
      fail: () => {},
    }
    const alone = new Pool<Api>(
      { ...host, inline: () => Promise.resolve(inThread) },
      { kernel: 'relaxed-simd', module: null as never },
      0,
    )
    await alone.start()
    hasMemory = false
    alone.replaceKernel({ kernel: 'simd128', module: null as never })
    // Nobody is left with what fails before somebody asks: Node.js would end the process.
    await turn()
    expect(await alone.attemptTwice((api) => api.name('a'))).toBe(CRASHED)
    hasMemory = true
    expect(await alone.attempt((api) => api.name('a'))).toBe(7)
    alone.dispose()
  })
})
