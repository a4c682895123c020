/** `blobcheck audit --redis` and `blobcheck audit-worker`, each a process of its own, with a Redis server that may go. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { type MadeChain, makeChain } from 'blobcheck/serve'
import { afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { expectEachOnce, flawedServer } from '../../support/audits.ts'
import { fileOf, folder, networkFile } from '../../support/beacons.ts'
import { blobcheck, type Ended, jsonLines } from '../../support/cli.ts'
import { copyPackage } from '../../support/copied-package.ts'
import { freePort } from '../../support/free-port.ts'
import { type RedisServer, startRedis } from '../../support/redis.ts'

const main = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url))
/** Thirteen jobs; five, where fewer will do. */
const [FROM, TO, SOON] = [64, 463, 223]
const hasBlob = (slot: number): boolean => slot % 4 === 0
let chain: MadeChain
let redis: RedisServer
let network: string
let report: string

beforeAll(async () => {
  chain = await makeChain({
    slots: 540,
    // What a job costs is its blobs, and one in four blocks is enough to tell who did which.
    blobsPerBlock: (slot) => (hasBlob(slot) ? 1 : 0),
    isMissed: (slot) => slot % 11 === 0,
    signHeaders: false,
  })
})

beforeEach(async () => {
  redis = await startRedis()
  network = await networkFile(chain)
  report = join(await folder(), 'report.jsonl')
})

const workers: ChildProcess[] = []

afterEach(() => {
  for (const worker of workers.splice(0)) worker.kill('SIGKILL')
})

interface Worker {
  readonly process: ChildProcess
  /** The ranges that it did. */
  readonly done: string[]
  readonly events: Record<string, unknown>[]
}

/** A worker that waits for jobs, and is gone when the test ends. */
async function startWorker(...args: string[]): Promise<Worker> {
  return await startWorkerOf(main, ...args)
}

async function startWorkerOf(file: string, ...args: string[]): Promise<Worker> {
  const options = ['--redis', redis.url, '--json', '--workers', '1', ...args]
  const process_ = spawn(process.execPath, [file, 'audit-worker', ...options], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  workers.push(process_)
  const worker: Worker = { process: process_, done: [], events: [] }
  let rest = ''
  process_.stdout!.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const event = JSON.parse(line) as Record<string, unknown>
      worker.events.push(event)
      if (event['event'] === 'done') worker.done.push(`${String(event['from'])}-${String(event['to'])}`)
    }
  })
  await until(() => worker.events.length > 0)
  return worker
}

/** Waits until something holds; the test's own time ends it otherwise. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await sleep(20)
}

/** Waits until no job is in the queue, and none is under way. */
async function untilQueueIsEmpty(): Promise<void> {
  const client = new Redis(redis.url)
  try {
    for (;;) {
      const jobs = await Promise.all(['wait', 'active'].map((list) => client.llen(`blobcheck:audit:${list}`)))
      if (jobs.every((count) => count === 0)) return
      await sleep(50)
    }
  } finally {
    client.disconnect()
  }
}

function auditArgs(beacon: string, ...more: string[]): string[] {
  return [
    ...['audit', '--network', network, '--checkpoint', chain.checkpoint, '--no-store', '--beacon', beacon],
    ...['--from', String(FROM), '--to', String(SOON), '--redis', redis.url, '--report', report],
    ...['--all', '--json', ...more],
  ]
}

const lines = async (): Promise<Record<string, unknown>[]> => jsonLines(await readFile(report, 'utf8'))

/** That a report has the chain: each slot once, with what is there. */
async function expectWhole(missing: readonly number[] = [], to = SOON): Promise<void> {
  const all = await lines()
  expectEachOnce(all, FROM, to)
  for (const { event, slot, outcome, header } of all) {
    if (event !== 'slot') continue
    const there = !hasBlob(Number(slot))
      ? 'no-blobs'
      : missing.includes(Number(slot))
        ? 'missing'
        : 'complete'
    expect([slot, outcome, header]).toEqual([
      slot,
      chain.at(Number(slot)) === null ? 'no-block' : there,
      'verified',
    ])
  }
  expect(all.at(-1)).toMatchObject({ event: 'summary', slots: to - FROM + 1 })
  expect(all.filter(({ event }) => event === 'summary')).toHaveLength(1)
}

/** The key of the record of the audit that goes on, once that is there. */
async function recordOf(client: Redis): Promise<string> {
  for (;;) {
    const key = (await client.keys('blobcheck:audits:*')).find((name) => !name.endsWith(':results'))
    if (key !== undefined) return key
    await sleep(20)
  }
}

/** What is left of audits in Redis, beside what BullMQ itself keeps. */
async function leftInRedis(): Promise<string[]> {
  const client = new Redis(redis.url)
  try {
    return (await client.keys('*')).filter(
      (key) => !/^blobcheck:audit:(meta|events|id|stalled-check|marker)$/.test(key),
    )
  } finally {
    client.disconnect()
  }
}

describe('two workers', () => {
  it('share an audit, and when one is killed, the other does its jobs: each slot counts once', async () => {
    const beacon = await flawedServer(chain, { missing: [200] })
    // So that nobody waits long for the jobs of the one that is killed.
    const lock = ['--lock', '2']
    const [first, second] = [await startWorker(...lock), await startWorker(...lock)]
    const audit = blobcheck(auditArgs(beacon, '--to', String(TO)))
    await until(() => first.done.length >= 2 && second.done.length >= 1)
    first.process.kill('SIGKILL')
    const { code, err } = await audit
    expect(err).toBe('')
    expect(code).toBe(1)
    await expectWhole([200], TO)
    // It had jobs when it was killed, which the other did.
    const pieces = (await lines()).filter(({ event }) => event === 'range').length
    expect(new Set([...first.done, ...second.done]).size).toBe(pieces)
    expect(second.done.length).toBeGreaterThan(pieces - first.done.length - 1)
    expect(await leftInRedis()).toEqual([])
  })

  it('end in good order, with the jobs that they have', async () => {
    const beacon = await flawedServer(chain)
    const [first, second] = [await startWorker(), await startWorker()]
    const audit = blobcheck(auditArgs(beacon))
    await until(() => first.done.length >= 1)
    first.process.kill('SIGINT')
    const [code] = (await once(first.process, 'exit')) as [number]
    expect(code).toBe(0)
    expect((await audit).code).toBe(0)
    await expectWhole()
    const all = [...first.done, ...second.done]
    expect(new Set(all).size).toBe(all.length)
  })
})

describe('no worker', () => {
  it('is told of, and the audit waits for one', async () => {
    const beacon = await flawedServer(chain)
    const { code, out } = await blobcheck(auditArgs(beacon, '--from', '64', '--to', '100'), {
      onLine: (line) => {
        if (line.includes('no worker takes jobs')) void startWorker()
      },
    })
    expect(code).toBe(0)
    expect(jsonLines(out).filter(({ event }) => event === 'trouble')).toHaveLength(1)
    expectEachOnce(await lines(), 64, 100)
  })
})

describe('an audit that is killed', () => {
  it('goes on with what was done meanwhile, which is not done again', async () => {
    const asked = new Map<string, number>()
    const beacon = await flawedServer(chain, {
      onRequest: (path) => {
        if (path.includes('/blobs/')) asked.set(path, (asked.get(path) ?? 0) + 1)
      },
    })
    const worker = await startWorker()
    const killed = await blobcheck(auditArgs(beacon), {
      onLine: (line, kill) => {
        if (line.includes('"event":"range"')) kill('SIGKILL')
      },
    })
    expect(killed.signal).toBe('SIGKILL')
    // The jobs that are in the queue are done all the same.
    await untilQueueIsEmpty()
    expect(worker.done.length).toBeGreaterThan(1)
    worker.process.kill('SIGKILL')
    const { code } = await blobcheck(auditArgs(beacon))
    expect(code).toBe(0)
    await expectWhole()
    expect(Math.max(...asked.values())).toBe(1)
    expect(await leftInRedis()).toEqual([])
  })

  it('goes on with the endpoints that it is told of then, by workers that knew it with others', async () => {
    const archive = await flawedServer(chain, {
      rules: [{ fault: { kind: 'delay', ms: 200 }, routes: ['blobs'] }],
    })
    const before = await flawedServer(chain)
    let asked = 0
    const after = await flawedServer(chain, {
      onRequest: (path) => {
        if (path.startsWith('/eth/v2/beacon/blocks/')) asked++
      },
    })
    const worker = await startWorker('--concurrency', '4')
    const more = ['--to', String(TO), '--archive', archive]
    await blobcheck(auditArgs(before, ...more), {
      onLine: (line, kill) => {
        if (!line.includes('"event":"range"')) return
        worker.process.kill('SIGSTOP')
        kill('SIGKILL')
      },
    })
    const audit = blobcheck(auditArgs(after, ...more))
    const client = new Redis(redis.url)
    try {
      while (!(await client.get(await recordOf(client)))?.includes(after)) await sleep(20)
    } finally {
      client.disconnect()
    }
    worker.process.kill('SIGCONT')
    expect((await audit).code).toBe(0)
    await expectWhole([], TO)
    expect(asked).toBeGreaterThan(0)
  })

  it('is begun anew by another report, whatever Redis still has of it', async () => {
    const flaws = { missing: [200] }
    const beacon = await flawedServer(chain, flaws)
    await startWorker()
    expect((await blobcheck(auditArgs(beacon))).code).toBe(1)
    flaws.missing.length = 0
    report = `${report}-2`
    expect((await blobcheck(auditArgs(beacon))).code).toBe(0)
    await expectWhole()
  })
})

describe('Redis', () => {
  it('that cannot be reached at the start is told of, and nothing is begun', async () => {
    const place = `redis://127.0.0.1:${await freePort()}`
    const secret = place.replace('//', '//user:secret@')
    const { code, err } = await blobcheck([...auditArgs('http://127.0.0.1:1'), '--redis', secret])
    expect(code).toBe(3)
    expect(err).toBe('')
    await expect(readFile(report)).rejects.toMatchObject({ code: 'ENOENT' })
    const worker = await blobcheck(['audit-worker', '--redis', secret])
    expect(worker.code).toBe(3)
    expect(worker.err).toContain(`Redis cannot be reached at ${place}: `)
    expect(worker.err).not.toContain('secret')
  })

  it('without the database of its address is told of, and nothing is begun', async () => {
    const place = `${redis.url}/99`
    const audit = await blobcheck([...auditArgs('http://127.0.0.1:1'), '--redis', place])
    const worker = await blobcheck(['audit-worker', '--redis', place])
    for (const { code, out, err } of [audit, worker]) {
      expect(code).toBe(2)
      expect(out + err).toContain(`Redis at ${place} has no database 99: ERR DB index is out of range`)
    }
    await expect(readFile(report)).rejects.toMatchObject({ code: 'ENOENT' })
  })

  it('has audits in the database that its address names', async () => {
    const beacon = await flawedServer(chain)
    const args = ['--redis', `${redis.url}/3`, '--from', '64', '--to', '70']
    const client = new Redis(redis.url)
    onTestFinished(() => client.disconnect())
    await startWorker('--redis', `${redis.url}/3`)
    expect((await blobcheck(auditArgs(beacon, ...args))).code).toBe(0)
    expectEachOnce(await lines(), 64, 70)
    expect(await client.keys('*')).toEqual([])
  })

  it('that goes and comes back empty costs nothing but time', async () => {
    const beacon = await flawedServer(chain, { rules: [{ fault: { kind: 'delay', ms: 60 } }] })
    const worker = await startWorker()
    const audit = blobcheck(auditArgs(beacon))
    await until(() => worker.done.length >= 2)
    await redis.kill()
    await sleep(500)
    await redis.start()
    const { code, out } = await audit
    expect(code).toBe(0)
    await expectWhole()
    const troubles = jsonLines(out).filter(({ event }) => event === 'trouble')
    const told = troubles.map(({ detail }) => String(detail).replace(/^.* is /, ''))
    // On a busy machine the worker may be back so late that it is missed, which is told of, too.
    expect(told.filter((detail) => !detail.startsWith('no worker takes jobs'))).toEqual([
      'gone; waiting for it',
      'there again',
    ])
  })

  it('that stays away ends the audit, which can be gone on with', async () => {
    const beacon = await flawedServer(chain, { rules: [{ fault: { kind: 'delay', ms: 60 } }] })
    let worker = await startWorker()
    const audit = blobcheck(auditArgs(beacon, '--redis-patience', '1'))
    await until(() => worker.done.length >= 2)
    await redis.kill()
    const { code, out } = await audit
    expect(code).toBe(3)
    expect(jsonLines(out).find(({ event }) => event === 'failed')).toMatchObject({
      message: expect.stringContaining('did not come back in 1 seconds'),
    })
    worker.process.kill('SIGKILL')
    await redis.start()
    worker = await startWorker()
    expect((await blobcheck(auditArgs(beacon))).code).toBe(0)
    await expectWhole()
  })
})

describe('Redis that says nothing', () => {
  /** The address of a server that takes connections, and that is all. */
  async function muteServer(): Promise<string> {
    const sockets: Socket[] = []
    const server = createServer((socket) => void sockets.push(socket))
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy()
      server.close()
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    return `redis://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  it('at the start is told of as one that cannot be reached, and nothing is begun', async () => {
    const place = await muteServer()
    const { code, out } = await blobcheck([...auditArgs('http://127.0.0.1:1'), '--redis', place])
    expect(code).toBe(3)
    expect(out).toContain(`Redis cannot be reached at ${place}: no answer in 10 seconds`)
    await expect(readFile(report)).rejects.toMatchObject({ code: 'ENOENT' })
    const worker = await blobcheck(['audit-worker', '--redis', place])
    expect(worker.code).toBe(3)
    expect(worker.err).toContain(`Redis cannot be reached at ${place}: no answer in 10 seconds`)
  })

  it('since it was frozen is gone, and there again once it goes on', async () => {
    const beacon = await flawedServer(chain, { rules: [{ fault: { kind: 'delay', ms: 60 } }] })
    const worker = await startWorker()
    let isFrozen = false
    const { code, out } = await blobcheck(auditArgs(beacon), {
      onLine: (line) => {
        if (line.includes('"event":"range"') && !isFrozen) {
          isFrozen = true
          redis.freeze()
        }
        if (line.includes('is gone; waiting for it')) redis.thaw()
      },
    })
    expect(code).toBe(0)
    expect(out).toContain('is there again')
    await expectWhole()
    expect(worker.done.length).toBeGreaterThan(0)
  })

  it('for longer than an audit is patient ends the audit', async () => {
    const beacon = await flawedServer(chain)
    const { code, out } = await blobcheck(auditArgs(beacon, '--redis-patience', '1'), {
      onLine: (line) => void (line.includes('"event":"audit"') && redis.freeze()),
    })
    expect(code).toBe(3)
    expect(out).toContain('did not come back in 1 seconds: no answer in 5 seconds')
    redis.thaw()
    await startWorker()
    expect((await blobcheck(auditArgs(beacon))).code).toBe(0)
    await expectWhole()
  })

  it('lets an audit, and a worker, end when they are told to', async () => {
    const beacon = await flawedServer(chain)
    const worker = await startWorker()
    worker.process.kill('SIGSTOP')
    const client = new Redis(redis.url)
    onTestFinished(() => client.disconnect())
    let interrupt = (): void => {}
    // Without a report it has something to say to Redis at its end.
    const audit = blobcheck(
      auditArgs(beacon).filter((arg) => arg !== '--report' && arg !== report),
      { onLine: (_line, kill) => (interrupt = () => kill('SIGTERM')) },
    )
    await recordOf(client)
    redis.freeze()
    interrupt()
    const { code, out } = await audit
    expect(code).toBe(3)
    expect(jsonLines(out).at(-1)).toEqual({ event: 'end', exitCode: 3 })
    worker.process.kill('SIGCONT')
    worker.process.kill('SIGTERM')
    const [ended] = (await once(worker.process, 'exit')) as [number]
    expect(ended).toBe(0)
  })
})

describe('a worker that has jobs', () => {
  it('ends when it is told to, also where Redis is gone', async () => {
    const beacon = await flawedServer(chain, { rules: [{ fault: { kind: 'delay', ms: 200 } }] })
    const worker = await startWorker('--concurrency', '4')
    const audit = blobcheck(auditArgs(beacon, '--redis-patience', '1'))
    await until(() => worker.done.length >= 1)
    await redis.kill()
    expect((await audit).code).toBe(3)
    worker.process.kill('SIGTERM')
    // Nobody is there whom it could tell of them: it does not wait.
    const [code] = (await once(worker.process, 'exit')) as [number]
    expect(code).toBe(0)
  })
})

describe('a worker whose code is gone', () => {
  it('does its jobs all the same: it has loaded what it needs', async () => {
    const copy = await copyPackage(await folder())
    const worker = await startWorkerOf(copy.main)
    await copy.loseCode()
    expect((await blobcheck(auditArgs(await flawedServer(chain)))).code).toBe(0)
    await expectWhole()
    expect(worker.done.length).toBeGreaterThan(0)
  })
})

describe('times without an end', () => {
  it('are the longest that a timer can run', async () => {
    const beacon = await flawedServer(chain)
    const worker = blobcheck(
      ['audit-worker', '--redis', redis.url, '--json', '--workers', '1', '--lock', 'Infinity'],
      {
        onLine: (line, kill) => void (line.includes('"event":"done"') && kill('SIGTERM')),
      },
    )
    const range = ['--from', '64', '--to', '70']
    const audit = await blobcheck(
      auditArgs(beacon, ...range, '--timeout', 'Infinity', '--redis-patience', 'Infinity'),
    )
    expect([audit.code, audit.err]).toEqual([0, ''])
    const { code, out, err } = await worker
    expect([code, err]).toEqual([0, ''])
    expect(jsonLines(out).map(({ event }) => event)).toEqual(['waiting', 'done'])
  })
})

describe('a job that no worker can do', () => {
  it('leaves its slots unknown, with the reason, and the audit goes on', async () => {
    const beacon = await flawedServer(chain)
    // What a worker is told of the audit is spoilt, as by another version: each attempt fails.
    const client = new Redis(redis.url)
    const args = auditArgs(beacon, '--from', '64', '--to', '127')
    try {
      const audit = blobcheck(args)
      await client.set(await recordOf(client), 'no JSON')
      await startWorker()
      const { code } = await audit
      expect(code).toBe(3)
    } finally {
      client.disconnect()
    }
    const all = await lines()
    expectEachOnce(all, 64, 127)
    const slots = all.filter(({ event }) => event === 'slot')
    for (const slot of slots)
      expect(slot).toMatchObject({
        outcome: 'unknown',
        detail: expect.stringContaining('no worker brought its job'),
      })
  })
})

describe('the record of an audit', () => {
  it('lives on for as long as the audit goes on', async () => {
    const beacon = await flawedServer(chain)
    const client = new Redis(redis.url)
    try {
      const audit = blobcheck(auditArgs(beacon))
      const key = await recordOf(client)
      // As if most of its week had passed.
      await client.expire(key, 60)
      while ((await client.ttl(key)) <= 60) await sleep(50)
      await startWorker()
      expect((await audit).code).toBe(0)
    } finally {
      client.disconnect()
    }
    await expectWhole()
    expect(await leftInRedis()).toEqual([])
  })

  it('that is gone is kept again, and the jobs that failed without it are done', async () => {
    const beacon = await flawedServer(chain)
    const client = new Redis(redis.url)
    const worker = await startWorker()
    try {
      const audit = blobcheck(auditArgs(beacon))
      const key = await recordOf(client)
      // It is taken away for as long as it takes some jobs to fail.
      while (!worker.events.some(({ event }) => event === 'failed')) await client.unlink(key)
      expect((await audit).code).toBe(0)
    } finally {
      client.disconnect()
    }
    expect(worker.events.find(({ event }) => event === 'failed')).toMatchObject({
      error: 'the audit has ended',
    })
    await expectWhole()
  })
})

describe('the packages', () => {
  it('that are not there are named, with what to install', async () => {
    const hook = `export async function resolve(name, context, next) {
      if (name === 'bullmq') throw Object.assign(new Error('no'), { code: 'ERR_MODULE_NOT_FOUND' })
      return await next(name, context)
    }`
    const file = await fileOf(
      'without.mjs',
      `import { register } from 'node:module'\nregister('data:text/javascript,' + encodeURIComponent(${JSON.stringify(hook)}))\n`,
    )
    const env = { NODE_OPTIONS: `--import=${pathToFileURL(file).href}` }
    const ended: Ended[] = [
      await blobcheck(auditArgs('http://127.0.0.1:1'), { env }),
      await blobcheck(['audit-worker', '--redis', redis.url], { env }),
    ]
    for (const { code, out, err } of ended) {
      expect(code).toBe(2)
      expect(out + err).toContain('npm install bullmq ioredis')
    }
    await expect(readFile(report)).rejects.toMatchObject({ code: 'ENOENT' })
    // Who does not ask for Redis does not need them.
    const beacon = await flawedServer(chain)
    const own = auditArgs(beacon, '--from', '64', '--to', '66').filter(
      (arg) => arg !== '--redis' && arg !== redis.url,
    )
    expect((await blobcheck(own, { env })).code).toBe(0)
  })
})
