/** How many times as many random cases a test tries, and which: `BLOBCHECK_ROUNDS`, `BLOBCHECK_SEED`. */
const from = (name: string): number => Number(process.env[`BLOBCHECK_${name}`] ?? 1)

export const ROUNDS = from('ROUNDS')
export const SEED = from('SEED')
