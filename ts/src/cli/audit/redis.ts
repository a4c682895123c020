/**
 * A connection to Redis, for BullMQ and for what the audit itself keeps there. Both packages are optional peers, which are loaded here and
 * nowhere else: who does not audit on several machines does not install them.
 */
import type { Redis } from 'ioredis'
import { abortable } from '../../util/signals.ts'
import { MAX_TIMER_MS, within } from '../../util/timers.ts'
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
  /** Takes leave of the server, or, where it says nothing, goes without. */
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
/** How often a server is asked whether it is there, and for how long it may say nothing until it is gone: its machine may be frozen, or cut off. */
const PING_MS = 1_000
const SILENCE_MS = 5_000
/** How long a server may take to let go of us. */
const LEAVE_MS = 2_000
/** How long a connection that is given up may take to be closed by the other side. */
const DISCONNECT_MS = 500

/**
 * Throws `UsageError` for what is no address, for a database that is not there, and where the packages are not installed; and `Error` where
 * nobody answers.
 */
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
    disconnectTimeout: DISCONNECT_MS,
    // What BullMQ wants: commands wait for the connection.
    maxRetriesPerRequest: null,
    // Who was never reached is told of at once.
    retryStrategy: (times) => (isThere ? Math.min(50 * 2 ** Math.min(times, 10), MAX_RETRY_MS) : null),
  })
  client.on('error', (error: Error) => (last = error))
  try {
    await abortable(
      signal,
      () => within(open(client, place), CONNECT_MS, () => silence(CONNECT_MS)),
      () => client.disconnect(),
    )
    isThere = true
  } catch (error) {
    signal.throwIfAborted()
    client.disconnect()
    if (error instanceof UsageError) throw error
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
    timer = setTimeout(giveUp, Math.min(patienceMs, MAX_TIMER_MS))
  })
  client.on('ready', () => {
    if (timer === undefined) return
    clearTimeout(timer)
    timer = undefined
    onTrouble(`Redis at ${place} is there again`)
  })
  const stopWatching = watch(client, () => {
    last = silence(SILENCE_MS)
    client.disconnect(true)
  })
  return {
    ...{ bullmq, client, place, lost: lost.signal },
    async close() {
      isClosing = true
      clearTimeout(timer)
      stopWatching()
      if (client.status === 'ready') await leave(client.quit())
      client.disconnect()
    },
  }
}

/** Throws `UsageError` where the server does not have the database of the address: else database 0 would be used, and nobody told. */
async function open(client: Redis, place: string): Promise<void> {
  await client.connect()
  const { db } = client.options
  if (!db) return
  await client.select(db).catch((cause: Error) => {
    if (cause.name !== 'ReplyError') throw cause
    throw new UsageError(`Redis at ${place} has no database ${db}: ${cause.message}`, { cause })
  })
}

/** Waits for what is said to a server at the end, though not for long: one that is gone does not answer, and nothing depends on it. */
export async function leave(said: Promise<unknown>): Promise<void> {
  await within(said, LEAVE_MS, () => silence(LEAVE_MS)).catch(() => {})
}

function silence(ms: number): Error {
  return new Error(`no answer in ${ms / 1000} seconds`)
}

/** Calls back each time that the server of an open connection, or of one that is being opened, has said nothing for `SILENCE_MS`. */
function watch(client: Redis, onSilence: () => void): () => void {
  let [heardAt, lookedAt, isAsked] = [performance.now(), performance.now(), false]
  const heard = (): void => {
    heardAt = performance.now()
    isAsked = false
  }
  for (const event of ['connecting', 'ready']) client.on(event, heard)
  const timer = setInterval(() => {
    const now = performance.now()
    // What came while this process did nothing was not read yet.
    if (now - lookedAt > 2 * PING_MS) heardAt = now
    lookedAt = now
    if (client.status === 'ready' && !isAsked) {
      isAsked = true
      // What is refused is answered, too.
      client.ping().then(heard, heard)
    } else if (['ready', 'connect', 'connecting'].includes(client.status) && now - heardAt > SILENCE_MS) {
      heardAt = now
      onSilence()
    }
  }, PING_MS)
  return () => clearInterval(timer)
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
  if (!/^\/?\d*$/.test(url.pathname))
    throw new UsageError(
      `--redis wants the number of a database after the slash, as in ${url.protocol}//${url.host}/1`,
    )
  return `${url.protocol}//${url.host}${url.pathname === '/' ? '' : url.pathname}`
}
