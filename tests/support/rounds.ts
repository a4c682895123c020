/** How many times as many random cases a test tries, and which: `BLOBCHECK_ROUNDS`, which may be below 1, and `BLOBCHECK_SEED`; 1 in a browser. */
const from = (name: string): number => Number(globalThis.process?.env[`BLOBCHECK_${name}`] ?? 1)

export const ROUNDS = from('ROUNDS')
export const SEED = from('SEED')

/** How many cases are tried of a test that tries `runs` of them by itself: one at least. */
export const timesRounds = (runs: number): number => Math.ceil(runs * ROUNDS)
