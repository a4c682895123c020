// What it costs to sample a block of 21 blobs, from a server of another process over loopback HTTP: time, bytes, CPU time.
//
//     node tests/bench/sampling.mjs [ROUNDS]
//
// The process is held to nothing: workers run on what cores there are. CPU time is all of this process: fetching, parsing,
// checking and verifying; `verifying` is the verifier alone, on columns that are at hand.
import { createSampler } from '../../dist/sampler/index.js'
import { createVerifier } from '../../dist/index.js'
import { startBeaconServer } from './serving.mjs'
import { digits, median } from './statistics.mjs'

const BLOBS = 21
const rounds = Number(process.argv[2] ?? 15)
const { url, network, header, close } = await startBeaconServer(BLOBS)
const sources = { resolve: async () => ({ status: 'found', header }) }
const ways = []
for (const kernel of process.versions.node.startsWith('20.') ? ['simd128'] : ['simd128', 'relaxed-simd']) {
  for (const workers of [1, 2]) {
    const verifier = await createVerifier({ network, kernel, workers, cache: false })
    await verifier.warmup()
    for (const columns of [8, 26]) {
      const sampler = createSampler({ verifier, headers: sources, beacon: url, target: { columns } })
      ways.push({ kernel, workers, columns, sampler, verifier, samples: [] })
    }
  }
}
const indices = (count) => Array.from({ length: count }, (_, at) => (at * 5) % 128).join()
const columnsAt = async (count) => {
  const answer = await fetch(
    `${url}/eth/v1/debug/beacon/data_column_sidecars/${header.root}?indices=${indices(count)}`,
    { headers: { accept: 'application/octet-stream' } },
  )
  return new Uint8Array(await answer.arrayBuffer())
}
const atHand = new Map([
  [8, await columnsAt(8)],
  [26, await columnsAt(26)],
])

const cpu = async (task) => {
  const before = process.cpuUsage()
  const answer = await task()
  const { user, system } = process.cpuUsage(before)
  return [answer, (user + system) / 1000]
}

// In turns, so that whatever else the machine does hits all alike. Round 0 warms up.
for (let round = 0; round <= rounds; round++) {
  for (const { columns, sampler, samples, verifier } of ways) {
    const [report, cpuMs] = await cpu(() => sampler.sampleBlock('head'))
    if (report.verdict !== 'available') throw new Error(`the verdict was ${report.verdict}`)
    const [verdicts, verifyCpuMs] = await cpu(() =>
      verifier.verifyDataColumnSidecars(atHand.get(columns), { anchor: { header: header.root } }),
    )
    if (!verdicts.every(({ status }) => status === 'valid')) throw new Error('a column was refused')
    const { fetchMs, verifyMs, totalMs } = report.timings
    if (round > 0) samples.push({ totalMs, fetchMs, verifyMs, cpuMs, verifyCpuMs, bytes: report.bytes })
  }
}
console.log(`Node ${process.versions.node}, a block of ${BLOBS} blobs, ${rounds} rounds; medians, ms`)
console.log('kernel         workers  columns   total  fetching  verifying   all CPU  verifying CPU     bytes')
for (const { kernel, workers, columns, samples, verifier } of ways) {
  const of = (key, width) => digits(median(samples.map((sample) => sample[key]))).padStart(width)
  const [bytes] = samples.map((sample) => sample.bytes)
  console.log(
    `${kernel.padEnd(14)} ${String(workers).padStart(7)} ${String(columns).padStart(8)} ${of('totalMs', 7)} ` +
      `${of('fetchMs', 9)} ${of('verifyMs', 10)} ${of('cpuMs', 9)} ${of('verifyCpuMs', 14)} ${String(bytes).padStart(9)}`,
  )
  await verifier.dispose()
}
close()
