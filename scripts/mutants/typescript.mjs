// Mutants of the TypeScript that decides verdicts. In a copy of the package all of them are there at once, each behind a question that a process answers
// (`questions.mjs`). One run of each test without a mutant tells which it comes by; a mutant is then held against those tests alone, until one fails:
// first in place, where a process runs a test once for each mutant, and then in processes of its own with those of which that shows nothing.
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { root } from '../setup.mjs'
import { Finds } from './finds.mjs'
import { InPlace } from './held-in-place.mjs'
import { inParallel } from './likeliest.mjs'
import { Runner } from './processes.mjs'
import { candidatesOf, reachOf, START } from './reach.mjs'
import { openResults } from './results.mjs'
import { folder, makeTree, MUTATED, mutantsIn, tree } from './tree.mjs'

const results = openResults('typescript')

/** How many tests a mutant is held against in place before the others have their turn: what was found by then says which tests are likeliest. */
const TESTS_IN_PLACE = [4, 12, 36, 108, Infinity]

/** Milliseconds for a mutant before the others have their turn. */
const FIRST_BUDGET = 12_000

/**
 * Tries mutants of the files whose paths have one of `files` in them, until the time `deadline`; `again`: those that survived, too. In processes of their own,
 * those of the first of `files` come first.
 */
export async function mutateTypeScript({ files, again, deadline }) {
  const mutants = makeTree()
  // Tests wait, for a timer or an answer: one process more than there are cores.
  const runners = Array.from({ length: availableParallelism() + 1 }, (_, number) => new Runner(number))
  const each = (items, act) => inParallel(items, runners, act)
  try {
    const reaches = await reachOf(mutants, each, deadline)
    // Without all tests nobody knows what survives.
    if (Date.now() > deadline) return
    const rank = ({ path }) => files.findIndex((file) => path.includes(file))
    const isUntried = ({ id }) => {
      const known = results.statusOf(id)
      return known === undefined || (again && known === 'survived')
    }
    const wanted = mutants.filter((mutant) => rank(mutant) >= 0 && isUntried(mutant) && !isEquivalent(mutant))
    wanted.sort((a, b) => rank(a) - rank(b))
    console.log(`${wanted.length} mutants`)
    const tell = (mutant, status) => {
      results.add([[mutant.id, status]])
      console.log(`${status.padEnd(9)} ${mutant.path}:${mutant.line}  ${mutant.what}`)
    }
    const finds = new Finds(join(folder, 'finds.jsonl'))
    const inPlace = new InPlace(wanted, reaches, tell, finds)
    for (const most of TESTS_IN_PLACE) await inPlace.tryAll(each, most, deadline)

    const left = wanted.flatMap((mutant) => {
      if (inPlace.isFound(mutant)) return []
      const candidates = candidatesOf(mutant, reaches, (test) => !inPlace.hasPassed(mutant, test))
      const distance = finds.distanceFrom(mutant)
      const distanceOf = ({ ids }) => Math.min(...ids.map(distance))
      candidates.sort((a, b) => distanceOf(a) - distanceOf(b))
      if (candidates.length > 0) return [{ mutant, candidates }]
      tell(mutant, 'survived')
      return []
    })
    console.log(`${left.length} mutants are left for processes of their own`)
    const attempt = async ({ mutant, candidates }, runner, budget) => {
      const { status, rest, by } = await tryMutant(runner, mutant, candidates, Math.min(budget, deadline))
      if (status === undefined) return { mutant, candidates: rest }
      // One of its tests stands for the file.
      if (by !== undefined) finds.add(mutant.path, mutant.line, by.ids[0])
      tell(mutant, status)
      return null
    }
    // What survives has all its tests run: after the others.
    const slow = []
    await each(left, async (one, runner) => {
      const rest = await attempt(one, runner, Date.now() + FIRST_BUDGET)
      if (rest !== null) slow.push(rest)
    })
    console.log(`${slow.length} mutants were not found in ${FIRST_BUDGET / 1000} s`)
    await each(slow, (one, runner) => attempt(one, runner, Infinity))
  } finally {
    for (const runner of runners) runner.stop()
  }
}

/** By folder: how many mutants there are, and what became of them. */
export function typeScriptFigures() {
  return MUTATED.map((name) => {
    const figures = {
      name: `ts/src/${name}`,
      mutants: 0,
      killed: 0,
      timeout: 0,
      survived: 0,
      equivalent: 0,
      untried: 0,
    }
    for (const mutant of mutantsIn(name)) {
      figures.mutants++
      if (isEquivalent(mutant)) figures.equivalent++
      else figures[results.statusOf(mutant.id) ?? 'untried']++
    }
    return figures
  })
}

/**
 * Runs tests with a mutant until one fails, or until the time `budget`: without a status, and with the `rest` of them then. Files share a process where each
 * would have little to do.
 */
async function tryMutant(runner, { number }, candidates, budget) {
  for (let at = 0; at < candidates.length;) {
    if (Date.now() > budget) return { rest: candidates.slice(at) }
    const some = candidates.slice(at, at + together(candidates.slice(at)))
    const shared = some.length > 1 ? (await runner.run(some, number)).failure : undefined
    // What fails may miss what another file has changed in the process that they share.
    if (shared !== null) {
      const hasFailed = ({ file }) => Number(shared?.file === join(tree, 'tests', file))
      const suspects = some.toSorted((a, b) => hasFailed(b) - hasFailed(a))
      const found = await tryEach(runner, number, suspects)
      if (found.status !== 'survived') return found
    }
    at += some.length
  }
  return { status: 'survived' }
}

async function tryEach(runner, number, candidates) {
  for (const one of candidates) {
    const { failure, isLate } = await runner.run([one], number)
    if (isLate) return { status: 'timeout' }
    if (failure !== null) return { status: 'killed', by: one }
  }
  return { status: 'survived' }
}

/** How many of them share a process: so many that its start is little beside them. */
function together(candidates) {
  let time = 0
  const last = candidates.findIndex((one) => (time += one.time) > 5 * START)
  return last === -1 ? candidates.length : last + 1
}

/** Mutants that change nothing that anybody could see, each with its reason. */
const equivalents = JSON.parse(readFileSync(join(root, 'scripts/mutants/equivalent.json'), 'utf8'))

const isEquivalent = ({ path, source, what }) =>
  equivalents.some((one) => one.file === path && one.line === source && one.what === what)
