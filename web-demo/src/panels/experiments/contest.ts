/** Has several implementations do the same things, and measures only those whose answers are right. */
import { errorMessage } from '../../shared/error-message.ts'
import { orAborted } from '../../shared/watch.ts'
import type { Implementation, Input } from './implementations.ts'
import type { SideBySide } from './side-by-side.ts'

/** Odd, so that the median is one of the times. */
export const RUNS = 5
/** What a library may take for one answer, its first too, for which some work out tables. */
const PATIENCE_MS = 120_000

export interface Contest {
  /** By name: what begins to load an implementation. */
  readonly openers: Readonly<Record<string, () => Implementation>>
  /** By what they are called in the table; the first one is for the first verdict, too. */
  readonly inputs: Readonly<Record<string, Input>>
  readonly results: SideBySide
  readonly signal: AbortSignal
  /** Called with each step of `stepsOf`. */
  readonly onStep: () => void
}

const FIRST = 'From nothing to the first verdict'
const WRONG = 'a wrong answer, so not timed'

export function stepsOf({ openers, inputs }: Pick<Contest, 'openers' | 'inputs'>): number {
  return Object.keys(openers).length * (1 + Object.keys(inputs).length * (1 + RUNS))
}

/** Rejects with the signal’s reason; what fails otherwise is said in the table, and is out from then on. */
export async function compete({ openers, inputs, results, signal, onStep }: Contest): Promise<void> {
  const running = new Map<string, Implementation>()

  /** What does not answer, or breaks, is ended; its turn is a step all the same. */
  async function turn(what: string, who: string, task: () => Promise<boolean>): Promise<void> {
    try {
      if (!(await orAborted(limited(task()), signal))) results.fail(what, who, WRONG)
    } catch (error) {
      signal.throwIfAborted()
      results.fail(what, who, `failed: ${errorMessage(error)}`)
      running.get(who)?.dispose()
      running.delete(who)
    }
    onStep()
  }

  /** Adds the time of a right answer. */
  async function timed(what: string, who: string, verify: () => Promise<boolean>): Promise<boolean> {
    const started = performance.now()
    const isTrue = await verify()
    if (isTrue) results.add(what, who, performance.now() - started)
    return isTrue
  }

  try {
    const [first] = Object.entries(inputs)
    for (const [who, open] of Object.entries(openers))
      await turn(FIRST, who, () =>
        timed(FIRST, who, async () => {
          const implementation = open()
          running.set(who, implementation)
          implementation.keep(Object.fromEntries([first!]))
          return await implementation.verify(first![0])
        }),
      )
    for (const [what, input] of Object.entries(inputs))
      for (const [who, implementation] of running)
        await turn(what, who, async () => {
          implementation.keep({ [what]: input, [`false ${what}`]: withFalseProof(input) })
          return (await implementation.verify(what)) && !(await implementation.verify(`false ${what}`))
        })
    for (let run = 0; run < RUNS; run++)
      for (const what of Object.keys(inputs))
        for (const [who, implementation] of running)
          if (!results.hasFailed(what, who))
            await turn(what, who, () => timed(what, who, () => implementation.verify(what)))
  } finally {
    for (const implementation of running.values()) implementation.dispose()
  }
}

/** The first proof is the commitment: a point like any other, and no proof of it. */
function withFalseProof(input: Input): Input {
  const falsified = <T extends { readonly commitment: Uint8Array }>([
    first,
    ...others
  ]: readonly T[]): T[] => [{ ...first!, proof: first!.commitment }, ...others]
  return input.kind === 'blobs'
    ? { kind: 'blobs', items: falsified(input.items) }
    : { kind: 'cells', items: falsified(input.items) }
}

function limited<T>(promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`no answer in ${PATIENCE_MS / 1000} seconds`)),
      PATIENCE_MS,
    )
    promise.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
