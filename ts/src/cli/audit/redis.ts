/**
 * A connection to Redis, for BullMQ and for what the audit itself keeps there. Both packages are optional peers, which are loaded here and
 * nowhere else: who does not audit on several machines does not install them.
 */
import type { Redis } from 'ioredis'
import { abortable } from '../../util/signals.ts'
import { UsageError } from '../command.ts'

type Bullmq = typeof import('bullmq')

/** A Redis server that was reached, and what is needed to use it. */
export interface RedisLink {
  readonly bullmq: Bullmq
  /** Its commands wait while the server is gone. */
  readonly client: Redis
  /** Where it is, without user and password. */
  readonly place: string
  /** Aborted, with an error that says so, once the server has been gone for longer than the caller is patient. */
  readonly lost: AbortSignal
  close(): Promise<void>
}

export interface RedisTerms {
  /** How long to wait for a server that was there and is gone; it may be `Infinity`. */
  readonly patienceMs: number
  /** Told when the server is gone, and when it is there again. */
  readonly onTrouble: (text: string) => void
  readonly signal: AbortSignal
}

const CONNECT_MS = 10_000
const MAX_RETRY_MS = 2_000

/** Throws `UsageError` for what is no address, and where the packages are not installed; and `Error` where nobody answers. */
export async function connectRedis(address: string, terms: RedisTerms): Promise<RedisLink> {
  const place = placeOf(address)
  const { bullmq, ioredis } = await load()
  const { patienceMs, onTrouble, signal } = terms
  let isThere = false
  let isClosing = false
  let last: Error | undefined
  const client = new ioredis.Redis(address, {
    lazyConnect: true,
    connectTimeout: CONNECT_MS,
    // What BullMQ wants: commands wait for the connection.
    maxRetriesPerRequest: null,
    // Who was never reached is told of at once.
    retryStrategy: (times) => (isThere ? Math.min(50 * 2 ** Math.min(times, 10), MAX_RETRY_MS) : null),
  })
  client.on('error', (error: Error) => (last = error))
  try {
    await abortable(
      signal,
      () => client.connect(),
      () => client.disconnect(),
    )
    isThere = true
  } catch (error) {
    signal.throwIfAborted()
    client.disconnect()
    throw new Error(`Redis cannot be reached at ${place}: ${(last ?? (error as Error)).message}`, {
      cause: error,
    })
  }
  const lost = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  client.on('close', () => {
    if (isClosing || timer !== undefined) return
    onTrouble(`Redis at ${place} is gone; waiting for it`)
    const giveUp = (): void =>
      lost.abort(
        new Error(
          `Redis at ${place} did not come back in ${patienceMs / 1000} seconds: ${last?.message ?? 'no answer'}`,
        ),
      )
    timer = setTimeout(giveUp, Math.min(patienceMs, 2 ** 31 - 1))
  })
  client.on('ready', () => {
    if (timer === undefined) return
    clearTimeout(timer)
    timer = undefined
    onTrouble(`Redis at ${place} is there again`)
  })
  return {
    ...{ bullmq, client, place, lost: lost.signal },
    async close() {
      isClosing = true
      clearTimeout(timer)
      if (client.status === 'ready') await client.quit().catch(() => {})
      client.disconnect()
    },
  }
}

/** Throws `UsageError` with what to install. */
async function load(): Promise<{
  readonly bullmq: Bullmq
  readonly ioredis: Pick<typeof import('ioredis'), 'Redis'>
}> {
  try {
    const [bullmq, ioredis] = await Promise.all([import('bullmq'), import('ioredis')])
    return { bullmq, ioredis }
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'ERR_MODULE_NOT_FOUND')) throw cause
    throw new UsageError(
      'an audit on several machines needs two packages more, which blobcheck does not bring along: npm install bullmq ioredis',
    )
  }
}

/** An address without what is secret in it. Throws `UsageError`. */
function placeOf(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : null
  if (url === null || !/^rediss?:$/.test(url.protocol) || url.hostname === '')
    throw new UsageError('--redis wants an address such as redis://localhost:6379 (rediss: for TLS)')
  return `${url.protocol}//${url.host}${url.pathname === '/' ? '' : url.pathname}`
}
