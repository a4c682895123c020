/** Redis servers of a test's own, which go when it ends, and with the process that started them, whatever ends that. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach } from 'vitest'
import { findRedis } from '../../scripts/redis.mjs'
import { freePort } from './free-port.ts'

const servers: RedisServer[] = []

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.end()))
})

/** A server that keeps nothing on disk. */
export async function startRedis(): Promise<RedisServer> {
  const server = new RedisServer(await freePort(), await mkdtemp(join(tmpdir(), 'blobcheck-redis-')))
  servers.push(server)
  await server.start()
  return server
}

/** The shell tells the server's process id, and waits for the end of its input, which is that of this process, however it ends; then the server is killed. */
const UNTIL_WE_END =
  '"$@" > /dev/null & server=$!; echo $server; cat > /dev/null; kill -9 $server; wait $server'

export class RedisServer {
  readonly url: string
  readonly #port: number
  readonly #folder: string
  #child: ChildProcess | null = null
  #pid = 0

  constructor(port: number, folder: string) {
    this.#port = port
    this.#folder = folder
    this.url = `redis://127.0.0.1:${port}`
  }

  /** Starts it, without anything in it, and waits until it answers. */
  async start(): Promise<void> {
    const redis = findRedis()
    if (redis === undefined)
      throw new Error('no Redis server: install redis-server, or name it in BLOBCHECK_REDIS')
    const options = ['--port', String(this.#port), '--bind', '127.0.0.1', '--dir', this.#folder]
    const args = ['-c', UNTIL_WE_END, 'sh', redis, ...options, '--save', '', '--appendonly', 'no']
    this.#child = spawn('sh', args, { stdio: ['pipe', 'pipe', 'ignore'] })
    this.#child.stdout!.on('data', (text: Buffer) => (this.#pid = Number(text)))
    for (let tries = 0; !(await this.#answers()); tries++) {
      if (tries === 200) throw new Error('Redis does not answer')
      await sleep(50)
    }
  }

  /** As if its machine went. What was in it is gone. */
  async kill(): Promise<void> {
    const child = this.#child
    this.#child = null
    if (child === null) return
    child.stdin?.end()
    if (child.exitCode === null) await once(child, 'exit')
  }

  /** As if its machine stood still: connections stay open, and new ones are taken, and it says nothing. */
  freeze(): void {
    process.kill(this.#pid, 'SIGSTOP')
  }

  /** It goes on where it was frozen. */
  thaw(): void {
    process.kill(this.#pid, 'SIGCONT')
  }

  async end(): Promise<void> {
    await this.kill()
    await rm(this.#folder, { recursive: true, force: true })
  }

  async #answers(): Promise<boolean> {
    const socket = connect(this.#port, '127.0.0.1')
    try {
      socket.on('error', () => {})
      socket.write('PING\r\n')
      const [answer] = (await Promise.race([once(socket, 'data'), once(socket, 'close')])) as [unknown]
      return String(answer).startsWith('+PONG')
    } catch {
      return false
    } finally {
      socket.destroy()
    }
  }
}
