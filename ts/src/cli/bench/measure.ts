/** Measuring in turns: warm up, call, count what is right, and take medians. */

/** A row of the tables: something to measure. */
export interface Row {
  /** The function that is called. */
  readonly op: string
  /** Blobs, or cells. */
  readonly n: number
  /** The function and its size in words. */
  readonly title: string
  /** `blobcheck:` and the kernel. */
  readonly impl: string
  /** Of a verifier; null for a function that computes in the calling thread. */
  readonly workers: number | null
  /** Whether the answer is right. */
  readonly run: () => boolean | Promise<boolean>
}

/** A row, and what it took. */
export type Result = Omit<Row, 'run'> & Times

/** What a call of something took; all in milliseconds. */
interface Times {
  /** Medians of all calls. */
  readonly wallMs: number
  /** Of all threads of the process. */
  readonly cpuMs: number
  /** Wall time of the quickest tenth: a call that met little else on the machine. */
  readonly quickMs: number
  readonly runs: number
}

/** An answer that must not be: nothing is fast that is wrong. */
export class WrongAnswer extends Error {
  override readonly name = 'WrongAnswer'
}

/** How long a turn at a row is: it ends when there were so many calls and so much time has gone. */
interface Turn {
  readonly calls: number
  readonly forMs: number
}

/** How much is measured. */
export interface Plan {
  readonly warmUp: Turn
  readonly turn: Turn
  readonly rounds: number
}

/** Measures rows in turns, round by round, so that all meet the same weather. */
export async function measureInTurns(
  rows: readonly Row[],
  { warmUp, turn, rounds }: Plan,
  signal: AbortSignal,
  onTurn: (row: Row) => void,
): Promise<Result[]> {
  const samples: Sample[][] = rows.map(() => [])
  for (let round = 0; round <= rounds; round++) {
    for (const [at, row] of rows.entries()) {
      onTurn(row)
      const taken = await take(row, round === 0 ? warmUp : turn, signal)
      if (round > 0) samples[at]?.push(...taken)
    }
  }
  return rows.map(({ run: _, ...row }, at) => ({ ...row, ...timesOf(samples[at] ?? []) }))
}

interface Sample {
  readonly wallMs: number
  readonly cpuMs: number
}

async function take(row: Row, { calls, forMs }: Turn, signal: AbortSignal): Promise<Sample[]> {
  const taken: Sample[] = []
  const begin = performance.now()
  while (taken.length < calls || performance.now() - begin < forMs) {
    // A turn of the event loop, so that an interruption is noticed between calls that are synchronous.
    await new Promise((resolve) => setImmediate(resolve))
    signal.throwIfAborted()
    const cpu = process.cpuUsage()
    const wall = performance.now()
    // Awaiting what is no promise would cost another.
    const answer = row.run()
    const isRight = typeof answer === 'boolean' ? answer : await answer
    const wallMs = performance.now() - wall
    const { user, system } = process.cpuUsage(cpu)
    if (!isRight) throw new WrongAnswer(`a wrong answer: ${row.op}/${row.n} with ${row.impl}`)
    taken.push({ wallMs, cpuMs: (user + system) / 1000 })
  }
  return taken
}

function timesOf(samples: readonly Sample[]): Times {
  const walls = samples.map(({ wallMs }) => wallMs)
  return {
    wallMs: quantile(walls, 0.5),
    cpuMs: quantile(
      samples.map(({ cpuMs }) => cpuMs),
      0.5,
    ),
    quickMs: quantile(walls, 0.1),
    runs: samples.length,
  }
}

/** The value that such a part of all are below. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((left, right) => left - right)
  return sorted[Math.min(Math.floor(sorted.length * part), sorted.length - 1)] ?? Number.NaN
}
