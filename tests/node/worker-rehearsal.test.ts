/** What a worker rehearses while nobody asks for anything: each step of real work once, none of them long, and none that can be seen. */
import { beforeEach, describe, expect, it } from 'vitest'
import { rehearse } from '../../dist/verifier/worker/rehearsal.js'
import { range } from '../support/make.ts'
import { startTasks, type VerifierApi } from '../support/worker-tasks.ts'

let tasks: VerifierApi
beforeEach(async () => void (tasks = await startTasks()))

/** What a worker does whose checks answer so: for each step, a list. */
async function stepsOf(check: VerifierApi['check']): Promise<string[][]> {
  const steps: string[][] = [[]]
  const note = (what: string): void => void steps.at(-1)!.push(what)
  const rehearsal = rehearse({
    check: async (request) => {
      const answer = await check(request)
      note(`check ${answer.checked.map((entry) => ('unit' in entry ? entry.unit.kind : 'refused')).join()}`)
      return answer
    },
    collect: (units, groups) => {
      note(`collect ${units.map(([kind]) => kind).join()} as one of ${groups}`)
      return tasks.collect(units, groups)
    },
    close: (sums, part, parts) => {
      const isValid = tasks.close(sums, part, parts)
      note(`close part ${part} of ${parts}: ${isValid}`)
      return isValid
    },
  })
  while ((await rehearsal.next()).done !== true) steps.push([])
  return steps
}

describe('a rehearsal', () => {
  it('is a check, and then a blob and a cell, each collected and closed as a batch of its own', async () => {
    const [BLOB, CELL] = [1, 2]
    // What the data claims is false, which shows in the last step alone.
    expect(await stepsOf(tasks.check)).toEqual([
      [`check ${BLOB},${CELL}`],
      [`collect ${BLOB} as one of 1`],
      ['close part 0 of 1: false'],
      [`collect ${CELL} as one of 1`],
      ['close part 0 of 1: false'],
    ])
  })

  it('is over where the checks refuse what it does them with', async () => {
    const refusing: VerifierApi['check'] = async (request) =>
      await tasks.check({ ...request, items: request.items.map((one) => ({ ...one, item: 7 })) })
    expect(await stepsOf(refusing)).toEqual([['check refused,refused']])
  })

  it('is asked for step by step, until a worker says that it is over', async () => {
    const isOver: boolean[] = []
    for (const _ of range(7)) isOver.push(await tasks.rehearse())
    expect(isOver).toEqual([false, false, false, false, true, true, true])
  })
})
