/** Scripts with all their mutants in them at once, as `npm run mutants` has them, against each mutant by itself; and tests that are run for many of them. */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it, vi } from 'vitest'
import { generateFileHash } from 'vitest/node'
import { Finds } from '../../scripts/mutants/finds.mjs'
import { InPlace } from '../../scripts/mutants/held-in-place.mjs'
import { mutationsOf } from '../../scripts/mutants/mutations.mjs'
import { withQuestions } from '../../scripts/mutants/questions.mjs'

/** Every form that a mutant has, and one in another. */
const script = `function sample(a, b, items) {
  const out = [];
  let total = a ?? 7;
  for (let i = 0; i < items.length; i++) {
    if (items[i] === null) continue;
    if (items[i] > 3 && (a < 2 || !b)) { out.push(items[i] % 5); total += i * 2; }
    else if (items[i] <= -1) total -= 1;
    else out.unshift(items[i] << 1);
    if (total >= 40) break;
  }
  if (out.length === 0) throw 'none';
  const told = { ...{ kept: 5n }, name: b ? 'yes' : 'no', isLarge: !(total < 10), never: false };
  const least = Math.min(total, ...items.filter((item) => item !== null));
  if (items?.some((item) => item > 3)) out.push((items
    .every((item) => item !== 2)) ? -least : least - 1);
  return { out, told, total: total / 2, flags: (total & 3) | 4, kind: [total > 8 ? 'large' : 'small'] };
}`

const inputs: readonly (readonly unknown[])[] = [
  [1, true, [1, 2, 3]],
  [3, false, [4, null, -5, 2]],
  [undefined, true, [9, 9, 9, 9, 9]],
  [2, false, [null, 4, 0]],
  [0, true, []],
]

type Sample = (...args: readonly unknown[]) => unknown

/** What a script says to all inputs. */
function answers(text: string, isMutant: (id: number) => boolean = () => false): string {
  const sample = new Function('$isMutant', `${text}; return sample`)(isMutant) as Sample
  const answer = (args: readonly unknown[]): unknown => {
    try {
      return sample(...args)
    } catch (error) {
      return String(error)
    }
  }
  return JSON.stringify(inputs.map(answer), (_, value) =>
    typeof value === 'bigint' ? `${value}n` : (value as unknown),
  )
}

describe('a script with all its mutants', () => {
  const mutants = mutationsOf(script).map((mutation, number) => ({ ...mutation, number }))
  const [, asked] = /^import \{ isMutant as \$isMutant \} from 'data:,'; (.*)$/s.exec(
    withQuestions(script, mutants, 'data:,'),
  )!

  it('has them of each form', () => {
    const forms = mutants.map(({ whole }) => whole.form)
    expect(new Set(forms)).toEqual(new Set(['expression', 'statement', 'spread', 'method']))
    expect(mutants.length).toBeGreaterThan(80)
  })

  it('does what it did where none is asked for', () => {
    expect(answers(asked!)).toBe(answers(script))
  })

  it('does what each mutant does by itself', () => {
    let others = 0
    for (const { number, from, to, by, what } of mutants) {
      const alone = answers(script.slice(0, from) + by + script.slice(to))
      expect(
        answers(asked!, (one) => one === number),
        what,
      ).toBe(alone)
      if (alone !== answers(script)) others++
    }
    // Some do not show: not with these inputs.
    expect(others).toBeGreaterThan(mutants.length / 2)
  })
})

describe('tests that are run for many mutants', () => {
  const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

  it('find them, pass them, or show that they cannot be run again', async () => {
    // Where Vitest is found from.
    await mkdir(here('../../target'), { recursive: true })
    const folder = await mkdtemp(here('../../target/mutants-test-'))
    try {
      const questions = new URL('../../scripts/mutants/is-mutant.mjs', import.meta.url).href
      const file = generateFileHash('sample.test.mjs', undefined)
      const [finds, passes, once] = [`${file}_0`, `${file}_1`, `${file}_2`]
      const plan = { [finds]: [1, 2], [passes]: [3], [once]: [5, 4] }
      await writeFile(join(folder, 'plan.json'), JSON.stringify(plan))
      await writeFile(join(folder, 'found.jsonl'), '')
      await writeFile(
        join(folder, 'sample.test.mjs'),
        `import { beforeEach, expect, it } from 'vitest'
        import { isMutant } from ${JSON.stringify(questions)}
        let runs = 0
        let isReady = false
        beforeEach(({ task }) => {
          isReady = !isMutant(3) || task.name === 'passes'
        })
        it('finds', async () => {
          if (isMutant(1)) void Promise.reject(new Error('nobody handles this'))
          expect(isReady).toBe(true)
        })
        it('passes', () => expect(isReady).toBe(true))
        it('once', () => expect(runs++).toBeLessThan(2))
        it('is not asked', () => expect.unreachable())`,
      )
      await writeFile(
        join(folder, 'vitest.config.mjs'),
        `export default { test: { runner: ${JSON.stringify(here('../../scripts/mutants/in-place.mjs'))}, include: ['sample.test.mjs'] } }`,
      )
      await promisify(execFile)(process.execPath, [here('../../node_modules/vitest/vitest.mjs'), 'run'], {
        cwd: folder,
        env: {
          ...process.env,
          MUTANTS_QUESTIONS: questions,
          MUTANTS_PLAN: join(folder, 'plan.json'),
          MUTANTS_FOUND: join(folder, 'found.jsonl'),
        },
      }).catch(() => {}) // Vitest does not like what nobody handles
      const lines = (await readFile(join(folder, 'found.jsonl'), 'utf8')).trim().split('\n')
      expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
        { tried: 2, test: finds },
        { passed: 2, test: finds, isReached: false },
        { tried: 1, test: finds },
        { found: 1, test: finds, isLate: false },
        { tried: 3, test: passes },
        { passed: 3, test: passes, isReached: true },
        { tried: 4, test: once },
        { passed: 4, test: once, isReached: false },
        { tried: 5, test: once },
        { unrepeatable: once, after: 5 },
      ])
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
})

it('a mutant is held first against tests that found another one near it, in an earlier run, too', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'blobcheck-finds-'))
  try {
    const kept = join(folder, 'finds.jsonl')
    const earlier = new Finds(kept)
    earlier.add('a.ts', 10, 'far')
    earlier.add('a.ts', 19, 'near')
    earlier.add('a.ts', 90, 'near')
    earlier.add('b.ts', 20, 'elsewhere')
    const mutants = [{ number: 1, path: 'a.ts', line: 20 }]
    // Who comes by fewest mutants comes first of those that found none.
    const reached = { few: [1], elsewhere: [1, 2], far: [1, 2, 3], near: [1, 2, 3, 4] }
    const tests = Object.entries(reached).map(([id, numbers]) => {
      return { id, file: 'one.test.ts', time: 1, isAlone: true, reached: new Set(numbers) }
    })
    const asked: string[] = []
    const runner = {
      runInPlace: (_: string, plan: Record<string, number[]>) => {
        asked.push(...Object.keys(plan))
        return { found: Object.keys(plan).map((test) => ({ tried: 1, test })), isLate: false }
      },
    }
    const reaches = [{ file: 'one.test.ts', tests, around: new Set() }]
    const inPlace = new InPlace(mutants, reaches, () => {}, new Finds(kept))
    const each = async (
      items: object[],
      act: (item: object, lane: object) => Promise<void>,
    ): Promise<void> => {
      for (const item of items) await act(item, runner)
    }
    vi.spyOn(console, 'log').mockImplementation(() => {})
    for (const most of [1, 2, 3, 4]) await inPlace.tryAll(each, most, Infinity)
    expect(asked).toEqual(['near', 'far', 'few', 'elsewhere'])
  } finally {
    vi.restoreAllMocks()
    await rm(folder, { recursive: true, force: true })
  }
})
