/** `npm run soak`, cut short: that it runs to its end, finds no fault in what is sound, and finds those that there are. No test here is about time. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createVerifier, type Verifier, type VerifierOptions } from 'blobcheck'
import { describe, expect, it } from 'vitest'
import { gossip } from '../soak/gossip.mjs'
import { LIES } from '../soak/gossip-data.mjs'
import { MemoryMarks } from '../soak/memory.mjs'
import { allowedAt, phaseAt, PHASES, planOf, truthOf } from '../soak/week-plan.mjs'
import { WeekRecord } from '../soak/week-record.mjs'
import { range } from '../support/make.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** Nothing is set up: `npm test` has built what is run, and other tests use it meanwhile. */
const soak = (...args: readonly string[]): Promise<{ stdout: string }> =>
  promisify(execFile)(process.execPath, [join(root, 'scripts/soak.mjs'), '--no-setup', ...args])

describe('a soak', () => {
  it('sends columns, true, late and false, and follows a chain through every fault of its endpoints', async () => {
    const { stdout } = await soak('--slots', '2', '--blobs', '4', '--week-slots', '84', '--short')
    expect(stdout).toContain(`in ${Object.keys(LIES).length} ways, of 3 peers`)
    expect(stdout).toMatch(/\| phases \| 2[5-9], of 25 kinds \|/)
    expect(stdout).toMatch(/\| into Gloas at slot \d+ \|/)
    expect(stdout).toMatch(/\| [1-9] changes \|/)
    expect(stdout).toMatch(/refused in [1-6] of 6 kinds of lies/)
    expect(stdout.trimEnd().endsWith('no faults')).toBe(true)
  })

  it.each([
    [['--minutes', 'many']],
    [['gossip']],
    [['--minutes', '1', 'flying']],
    [['--hours', '1']],
    [['--minutes', '1', '--blobs', '1']],
    [['--minutes', '1', '--seed', '1e4x']],
    [['--slots', 'Infinity']],
    [['--minutes', '1', '--blobs', '2.5']],
  ])('is refused where it is asked for what there is not: %j', async (args) => {
    await expect(soak(...args)).rejects.toMatchObject({ code: 2 })
  })
})

describe('gossip finds', () => {
  /** Verdicts of a verifier, changed on their way. */
  const changed =
    (change: (verdicts: { status: string; sources?: readonly string[] }[]) => void) =>
    async (options: VerifierOptions): Promise<Verifier> => {
      const verifier = await createVerifier({ ...options, workers: 1 })
      const verify = verifier.verifyDataColumnSidecars.bind(verifier)
      verifier.verifyDataColumnSidecars = async (...args) => {
        const verdicts = await verify(...args)
        change(verdicts as never)
        return verdicts
      }
      return verifier
    }
  const run = (open: (options: VerifierOptions) => Promise<Verifier>): Promise<{ faults: string[] }> =>
    gossip({ slots: 1, blobs: 2, open, log: () => {} }) as Promise<{ faults: string[] }>

  it('what is false and passes', async () => {
    const { faults } = await run(changed((verdicts) => verdicts.splice(0, 1, { status: 'valid' })))
    for (const lie of Object.keys(LIES).slice(0, 5))
      expect(faults.some((fault) => fault.startsWith(`${lie} of peer `))).toBe(true)
    expect(faults.filter((fault) => fault.endsWith('lied, and was not named'))).toHaveLength(3)
  })

  it('an honest column that is refused, and who is named for it', async () => {
    let isFirst = true
    const open = changed((verdicts) => {
      if (isFirst && verdicts[0]?.status === 'valid') {
        isFirst = false
        verdicts.splice(0, 1, { status: 'invalid', sources: ['peer 49'] })
      }
    })
    const { faults } = await run(open)
    expect(faults).toHaveLength(2)
    expect(faults[0]).toMatch(/^an honest column of peer \d+: invalid/)
    expect(faults[1]).toBe('peer 49 was named, and did not lie')
  })

  it('that a verdict names another than who lied', async () => {
    const { faults } = await run(
      changed(([verdict]) => verdict?.sources && Object.assign(verdict, { sources: ['peer 40'] })),
    )
    expect(faults).toContain('peer 40 was named, and did not lie')
    expect(faults.filter((fault) => fault.endsWith('lied, and was not named'))).toHaveLength(3)
  })
})

describe('memory', () => {
  it('is flat where nothing is kept, and not where something is', () => {
    const flat = new MemoryMarks()
    const growing = new MemoryMarks()
    const kept: Uint8Array[] = []
    range(20).forEach(() => flat.mark())
    for (const _ of range(20)) {
      kept.push(new Uint8Array(16e6).fill(1))
      growing.mark()
    }
    expect(flat.judge().faults).toEqual([])
    expect(growing.judge().faults.some((fault: string) => fault.startsWith('memory (held) grew'))).toBe(true)
    expect(kept).toHaveLength(20)
  })
})

describe('the week allows for', () => {
  const plan = planOf({})
  const slots = range(plan.slots).map((at) => plan.firstSlot + plan.lead + at)
  /** Slots that have nothing to do with another phase than that one. */
  const within = (name: string): number[] =>
    slots.filter((slot) => [slot - 40, slot, slot + 20].every((at) => phaseAt(at, plan).name === name))
  const one = (name: string, truth: string): ReadonlySet<string> =>
    allowedAt(
      within(name).find((slot) => truthOf(slot, plan) === truth)!,
      plan,
    ) as Set<string>

  it('the truth alone, where somebody is honest', () => {
    for (const [name, { hides, mayFail }] of Object.entries(PHASES) as [string, Record<string, unknown>][]) {
      if (hides || mayFail) continue
      expect([...one(name, 'available')]).toEqual(['available'])
      expect([...one(name, 'payload-not-revealed')]).toEqual(['payload-not-revealed'])
      expect([...one(name, 'no-blobs')]).toEqual(['no-blobs'])
      expect([...one(name, 'no-block')]).toEqual(['no-block'])
    }
  })

  it('nothing but “unavailable” where data is withheld by all, and never for what cannot be known', () => {
    expect([...one('data not available', 'available')]).toEqual(['unavailable'])
    expect([...one('data not available', 'no-block')]).toEqual(['no-block'])
    expect([...one('nobody there', 'available')].sort()).toEqual(['available', 'missed', 'unknown'])
  })

  it('that it is not known whether a block of Fulu has blobs, where it was looked up: within an epoch after nobody was there', () => {
    const again = slots.filter((slot) => phaseAt(slot, plan).name === 'there again').slice(0, plan.phaseSlots)
    const may = (slot: number): boolean => allowedAt(slot, plan).has('unknown')
    expect(again).toHaveLength(plan.phaseSlots)
    for (const [at, slot] of again.entries())
      expect(may(slot)).toBe(at < plan.slotsPerEpoch && truthOf(slot, plan) === 'no-blobs')
    expect(new Set(again.map(may)), 'some may, and others not').toEqual(new Set([true, false]))
  })

  it('has a fork, six periods, and every phase on both sides of the fork', () => {
    const gloas = plan.gloasForkEpoch * plan.slotsPerEpoch
    for (const name of Object.keys(PHASES)) {
      expect(within(name)[0]).toBeLessThan(gloas)
      expect(within(name).at(-1)).toBeGreaterThan(gloas)
    }
    expect(Math.floor(slots.at(-1)! / 8192)).toBe(6)
  })
})

describe('the record of a week finds', () => {
  const plan = planOf({})
  const [honest, culprit] = ['http://a', 'http://b']
  const startSlot = plan.firstSlot + plan.lead - 1
  const start = (): WeekRecord => new WeekRecord(plan, { urls: [honest, culprit], startSlot })
  /** Adds what each slot comes to, so many slots long, but for what is said of some. */
  const follow = (record: WeekRecord, count: number, of: Record<number, object | null> = {}): void => {
    for (const slot of range(count).map((at) => startSlot + at)) {
      if (of[slot] === null) continue
      const report = { slot, lastSlot: slot, outcome: truthOf(slot, plan), again: false, report: null }
      record.add({ ...report, ...of[slot] } as never)
    }
  }
  const some = startSlot + 7
  const accusing = (endpoint: string): object => ({ report: { endpoints: [{ endpoint, refused: [{}] }] } })

  it('nothing where there is nothing', () => {
    const record = start()
    follow(record, 100)
    expect(record.faults).toEqual([])
  })

  it.each([
    ['an outcome that is not so', { outcome: 'unavailable' }, /: unavailable, where it is /],
    ['a slot that is passed over', null, /^slot \d+ was passed over$/],
    ['who was accused, and did not lie', accusing(honest), /: http:\/\/a was accused, and did not lie$/],
    [
      'data that is available without a proof',
      {
        report: {
          verdict: 'available',
          links: { header: 'trusted', kzg: 'verified', inclusion: 'verified' },
        },
      },
      /: available, with links /,
    ],
  ])('%s', (_, change, fault) => {
    const record = start()
    follow(record, 100, { [some]: change })
    expect(record.faults[0]).toMatch(fault)
  })

  it('finality that stands still, goes back, or is of another chain', async () => {
    const links = { header: 'verified' }
    const header = (slot: number, root = `${slot}`): never => ({ slot, root, links }) as never
    const rootAt = (slot: number): Promise<string> => Promise.resolve(`${slot}`)
    const record = start()
    await record.addFinalized(header(96), 200, rootAt)
    await record.addFinalized(header(128), 232, rootAt)
    expect(record.faults).toEqual([])
    await record.addFinalized(header(96), 233, rootAt)
    await record.addFinalized(header(128, 'another'), 234, rootAt)
    await record.addFinalized(header(128, 'another'), 500, rootAt)
    expect(record.faults).toEqual([
      'finality went back from 128 to 96',
      'slot 128 is final with another root',
      'slot 500: finality is 11 epochs behind',
      'slot 128 is final with another root',
    ])
  })
})
