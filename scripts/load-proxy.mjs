// `node scripts/load-proxy.mjs`: 10,000 requests of 200 clients to `blobcheck proxy`, in front of one honest endpoint and five that lie, are slow, or break off.
// Each byte of each answer is held against the chain itself. Prints a table, or one line of JSON with --json. Exit code 1: an answer was wrong, or a
// request that has an honest way was refused. Needs `dist` (npm run build).
import { fork, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { countOf } from './numbers.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const isServing = process.argv[2] === 'serve-endpoints'

const USAGE = `node scripts/load-proxy.mjs [options]
  --requests N   default 10000
  --clients N    default 200
  --slots N      how many slots the chain has, 2 at least; default 160
  --blobs N      how many blobs a block has at most; default 6
  --cold         every request goes to the endpoints: nothing is kept in memory or on disk
  --seed N       default 1
  --json         one line of JSON instead of a table`

const options = isServing ? null : read()

/** The options, or null for those that are none. */
function read() {
  const flag = { type: 'boolean', default: false }
  const number = (value) => ({ type: 'string', default: value })
  try {
    const { values } = parseArgs({
      options: {
        ...{ requests: number('10000'), clients: number('200'), slots: number('160') },
        ...{ blobs: number('6'), seed: number('1'), cold: flag, json: flag },
      },
    })
    const [requests, clients, blobs, seed] = ['requests', 'clients', 'blobs', 'seed'].map((name) =>
      countOf(values, name),
    )
    // What is asked for are the blocks before the head.
    const slots = countOf(values, 'slots', 2)
    return { requests, clients, slots, blobs, seed, cold: values.cold, json: values.json }
  } catch (error) {
    console.error(`${error.message}\n${USAGE}`)
    return null
  }
}

/** The endpoints but for the honest one, each with what is wrong with it. */
const LIARS = [
  { name: 'corrupts blobs', rules: [{ fault: { kind: 'corrupt', part: 'cell' } }] },
  { name: 'hides blobs', rules: [{ fault: { kind: 'hide-blobs' } }] },
  {
    name: 'breaks off, or fails, half of the time',
    rules: [
      { fault: { kind: 'truncate', at: 0.5 }, probability: 0.3 },
      { fault: { kind: 'status', code: 503 }, probability: 0.3 },
    ],
  },
  { name: 'is slow', rules: [{ fault: { kind: 'delay', ms: 400 }, probability: 0.5 }] },
  {
    name: 'corrupts headers and proofs',
    rules: [{ fault: { kind: 'corrupt', part: 'header' } }, { fault: { kind: 'corrupt', part: 'proof' } }],
  },
]

const agent = new Agent({ keepAlive: true })

if (isServing) await serveEndpoints(JSON.parse(process.argv[3]))
else process.exitCode = options === null ? 2 : await main(options)

/** The chain, and the endpoints over it, in a process of their own: their work is none of the proxy's. */
async function serveEndpoints({ slots, blobs, seed }) {
  const { makeChain } = await import('../dist/serve/index.js')
  const { serveBeacon } = await import('../dist/serve/node.js')
  const { writeNetwork } = await import('../dist/cli/options/network.js')
  const { versionedHash } = await import('../dist/beacon/hashes.js')
  const hex = (bytes) => `0x${Buffer.from(bytes).toString('hex')}`
  const digest = (bytes) => createHash('sha256').update(bytes).digest('hex')
  const chain = await makeChain({
    ...{ slots, seed },
    blobsPerBlock: (slot) => slot % (blobs + 1),
    isMissed: (slot) => slot % 11 === 7,
    secondsPerSlot: 3600,
    signHeaders: false,
  })
  const servers = await Promise.all([
    serveBeacon({ chain }),
    ...LIARS.map(({ rules }, at) => serveBeacon({ chain, faults: { seed: at + 1, rules } })),
  ])
  const blocks = []
  for (let slot = chain.head.slot - 1; slot > chain.head.slot - slots; slot--) {
    const block = chain.at(slot)
    blocks.push({
      slot,
      root: block?.root ?? null,
      blobs: (block?.blobs ?? []).map(({ blob, commitment }) => ({
        digest: digest(blob),
        commitment: hex(commitment),
        hash: hex(versionedHash(commitment)),
      })),
    })
  }
  process.send({
    urls: servers.map(({ url }) => url),
    network: writeNetwork(chain.network),
    checkpoint: chain.checkpoint,
    genesisTime: chain.network.genesisTime,
    blocks,
  })
  process.once('disconnect', () => process.exit())
}

async function main({ requests, clients, slots, blobs, seed }) {
  const folder = await mkdtemp(join(tmpdir(), 'blobcheck-load-'))
  const settings = JSON.stringify({ slots, blobs, seed })
  const endpoints = fork(fileURLToPath(import.meta.url), ['serve-endpoints', settings])
  let proxy
  try {
    const chain = await new Promise((resolve, reject) => {
      endpoints.once('message', resolve)
      endpoints.once('exit', () => reject(new Error('the endpoints have ended')))
    })
    const network = join(folder, 'network.json')
    await writeFile(network, chain.network)
    proxy = await startProxy(chain, network, folder)
    await untilInStep(proxy.url)
    const found = await load(proxy.url, chain, { requests, clients })
    const report = { cpu: cpus()[0]?.model.trim(), cores: cpus().length, node: process.version, ...found }
    report.stopCode = await proxy.stop()
    if (options.json) console.log(JSON.stringify(report))
    else print(report, { requests, clients })
    return report.wrong === 0 && report.refused === 0 && report.stopCode === 0 ? 0 : 1
  } finally {
    proxy?.kill()
    endpoints.disconnect()
    await rm(folder, { recursive: true, force: true })
  }
}

/** The command itself, as users run it. Liars come before the honest one. */
async function startProxy(chain, network, folder) {
  const [honest, ...liars] = chain.urls
  const kept = options.cold ? ['--memory', '0', '--no-cache'] : ['--cache', join(folder, 'blobs')]
  const child = spawn(
    process.execPath,
    [
      ...[join(root, 'dist/cli/main.js'), 'proxy', '--json', '--port', '0', '--no-store'],
      ...['--network', network, '--checkpoint', chain.checkpoint],
      // It is to be seen whether each request is answered, however slow and busy this machine is; how long that takes is in the table.
      ...['--deadline', '600'],
      ...['--beacon', ...liars, honest, ...kept],
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const ended = new Promise((resolve) => child.once('close', (code) => resolve(code)))
  const url = await new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const event = JSON.parse(line)
      if (event.event === 'started') resolve(event.url)
      if (event.event === 'fault') console.error(line)
    })
    ended.then((code) => reject(new Error(`the proxy has ended with ${code}`)))
  })
  return {
    url,
    async stop() {
      child.kill('SIGTERM')
      return await ended
    },
    kill: () => child.kill('SIGKILL'),
  }
}

async function untilInStep(url) {
  for (;;) {
    if ((await fetch(`${url}/health`)).ok) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/** One request; the whole of its answer. */
function get(url, headers) {
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent, headers }, (response) => {
      const parts = []
      response.on('data', (part) => parts.push(part))
      response.on('error', reject)
      response.on('end', () =>
        resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(parts) }),
      )
    })
    sent.on('error', reject)
    sent.end()
  })
}

/** As many clients as are wanted, each with one request after the other. */
async function load(url, chain, { requests, clients }) {
  const random = seeded(options.seed)
  const times = []
  const statuses = {}
  const faults = []
  let [left, wrong, refused, bytes, blobs] = [requests, 0, 0, 0, 0]
  let [maxRss, cpuSeconds] = [0, 0]
  const delays = { p99: 0, max: 0 }
  const watch = async () => {
    const { body } = await get(`${url}/metrics`, {})
    const read = (name) => Number(new RegExp(`^blobcheck_proxy_${name} (\\S+)$`, 'm').exec(body)?.[1] ?? 0)
    maxRss = Math.max(maxRss, read('resident_memory_bytes'))
    cpuSeconds = read('cpu_seconds_total')
    delays.p99 = Math.max(delays.p99, read('event_loop_delay_seconds\\{quantile="0.99"\\}'))
    delays.max = Math.max(delays.max, read('event_loop_delay_seconds\\{quantile="1"\\}'))
  }
  // The first one forgets how the start was.
  await watch()
  Object.assign(delays, { p99: 0, max: 0 })
  const cpuBefore = cpuSeconds
  const timer = setInterval(() => void watch().catch(() => {}), 1000)
  const start = performance.now()
  const client = async () => {
    while (left-- > 0) {
      const one = draw(chain, random)
      const began = performance.now()
      const answer = await get(`${url}${one.path}`, { accept: one.accept })
      times.push(performance.now() - began)
      bytes += answer.body.length
      statuses[answer.status] = (statuses[answer.status] ?? 0) + 1
      if (answer.status === 503) {
        refused++
        faults.push(`${one.path}: ${answer.body}`)
        continue
      }
      const fault = one.check(answer)
      if (fault !== null) {
        wrong++
        faults.push(`${one.path}: ${fault}`)
      }
      blobs += one.blobs
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  const seconds = (performance.now() - start) / 1000
  clearInterval(timer)
  await watch()
  times.sort((a, b) => a - b)
  const at = (part) => Math.round(times[Math.min(times.length - 1, Math.floor(part * times.length))])
  for (const fault of faults.slice(0, 10)) console.error(fault.slice(0, 300))
  return {
    ...{ requests, clients, wrong, refused, statuses, blobs },
    seconds: Number(seconds.toFixed(1)),
    requestsPerSecond: Math.round(requests / seconds),
    megabytesPerSecond: Math.round(bytes / seconds / 1e6),
    ...{ p50Ms: at(0.5), p99Ms: at(0.99), maxMs: at(1) },
    cpuSeconds: Number((cpuSeconds - cpuBefore).toFixed(1)),
    maxRssMegabytes: Math.round(maxRss / 1e6),
    ...{ delayP99Ms: Math.round(1000 * delays.p99), delayMaxMs: Math.round(1000 * delays.max) },
  }
}

/** A request as some client sends it, and what its answer has to be. */
function draw(chain, random) {
  const of = (list) => list[Math.floor(random() * list.length)]
  const block = of(chain.blocks)
  const id = random() < 0.8 || block.root === null ? block.slot : block.root
  const [json, ssz] = ['application/json', 'application/octet-stream']
  const kind = random()
  if (kind < 0.5) {
    // op-node, kona, nitro, es-node: some blobs by their hashes.
    const wanted = block.blobs.filter(() => random() < 0.5)
    const query = [...new Set(wanted.map(({ hash }) => `versioned_hashes=${hash}`))].join('&')
    const expected = block.blobs.filter(({ hash }) => query === '' || wanted.some((one) => one.hash === hash))
    return {
      path: `/eth/v1/beacon/blobs/${id}${query && '?'}${query}`,
      ...{
        accept: json,
        blobs: expected.length,
        check: ({ status, body }) => ofBlobs(block, expected, status, body),
      },
    }
  }
  if (kind < 0.6)
    return {
      path: `/eth/v1/beacon/blobs/${id}`,
      ...{ accept: ssz, blobs: block.blobs.length },
      check: ({ status, body }) => {
        if (block.root === null) return status === 404 ? null : `status ${status}`
        const parts = block.blobs.map((_, at) => body.subarray(131072 * at, 131072 * (at + 1)))
        const isRight = status === 200 && body.length === 131072 * parts.length
        return isRight && parts.every((blob, at) => digest(blob) === block.blobs[at].digest)
          ? null
          : 'wrong bytes'
      },
    }
  if (kind < 0.8) {
    // Taiko, and op-node before Fulu.
    const index = Math.floor(random() * 6)
    const query = random() < 0.5 ? `?indices=${index}` : ''
    const expected = block.blobs
      .map((blob, at) => ({ ...blob, at }))
      .filter(({ at }) => query === '' || at === index)
    return {
      path: `/eth/v1/beacon/blob_sidecars/${id}${query}`,
      ...{
        accept: json,
        blobs: expected.length,
        check: ({ status, body }) => ofSidecars(block, expected, status, body),
      },
    }
  }
  if (kind < 0.95)
    return {
      path: `/eth/v1/beacon/headers/${id}`,
      ...{ accept: json, blobs: 0 },
      check: ({ status, body }) => {
        if (block.root === null) return status === 404 ? null : `status ${status}`
        return status === 200 && JSON.parse(body).data.root === block.root ? null : 'another header'
      },
    }
  return {
    path: '/eth/v1/beacon/genesis',
    ...{ accept: json, blobs: 0 },
    check: ({ status, body }) =>
      status === 200 && JSON.parse(body).data.genesis_time === String(chain.genesisTime)
        ? null
        : 'another genesis',
  }
}

function ofBlobs(block, expected, status, body) {
  if (block.root === null) return status === 404 ? null : `status ${status}`
  if (status !== 200) return `status ${status}`
  const { data } = JSON.parse(body)
  // A block may have a blob several times; asked for once, it comes once.
  const hashes = [...new Set(expected.map(({ digest }) => digest))]
  const digests = data.map((hex) => digest(Buffer.from(hex.slice(2), 'hex')))
  const isRight = digests.length <= expected.length && hashes.every((one) => digests.includes(one))
  return isRight && digests.every((one) => hashes.includes(one)) ? null : 'wrong blobs'
}

function ofSidecars(block, expected, status, body) {
  if (block.root === null) return status === 404 ? null : `status ${status}`
  if (status !== 200) return `status ${status}`
  const { data } = JSON.parse(body)
  if (data.length !== expected.length) return `${data.length} sidecars, not ${expected.length}`
  const isRight = data.every(
    (sidecar, at) =>
      Number(sidecar.index) === expected[at].at &&
      sidecar.kzg_commitment === expected[at].commitment &&
      digest(Buffer.from(sidecar.blob.slice(2), 'hex')) === expected[at].digest,
  )
  return isRight ? null : 'wrong sidecars'
}

function digest(bytes) {
  return createHash('sha256').update(bytes).digest('hex')
}

/** Numbers from 0 to below 1 that are the same for the same seed (mulberry32). */
function seeded(seed) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

function print(report, { requests, clients }) {
  const { cpu, cores, node } = report
  console.log(
    `${cpu}, ${cores} cores, Node ${node}; ${requests} requests of ${clients} clients; ${options.cold ? 'cold' : 'warm'}\n`,
  )
  const rows = [
    ['wrong answers', report.wrong],
    ['refused (503)', report.refused],
    ['answers by status', JSON.stringify(report.statuses)],
    ['blobs checked', report.blobs],
    ['time', `${report.seconds} s`],
    ['throughput', `${report.requestsPerSecond} requests/s, ${report.megabytesPerSecond} MB/s`],
    ['latency p50 / p99 / max', `${report.p50Ms} / ${report.p99Ms} / ${report.maxMs} ms`],
    ['CPU time of the proxy, all threads', `${report.cpuSeconds} s`],
    ['memory of the proxy, at most', `${report.maxRssMegabytes} MB`],
    ['event-loop delay p99 / max', `${report.delayP99Ms} / ${report.delayMaxMs} ms`],
    ['exit code after SIGTERM', report.stopCode],
  ]
  console.log('| | |\n|---|--:|')
  for (const [name, value] of rows) console.log(`| ${name} | ${value} |`)
}
