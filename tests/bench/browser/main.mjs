// The rows that matter in a browser: headless Chromium, a page of its own for each implementation.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright'
import { build, preview } from 'vite'
import { CHROMIUM_ARGS, ensureChromium } from '../../../scripts/chromium.mjs'
import { root } from '../../../scripts/setup.mjs'
import { describeMachine, describePackages } from '../environment.mjs'
import { writeSection } from '../markdown.mjs'
import { readInputs } from '../measuring.mjs'
import { operations } from '../operations.mjs'
import { start } from '../processes.mjs'
import { startBeaconServer } from '../serving.mjs'
import { Progress } from '../progress.mjs'
import { median } from '../statistics.mjs'
import { traceRows } from './main-thread.mjs'
import { toMarkdown, toTerminal } from './tables.mjs'

const IMPLEMENTATIONS = ['blobcheck:relaxed-simd', 'blobcheck:simd128', 'kzg-wasm', 'micro-eth-signer']

const ROWS = [
  { op: 'verifyBlobKzgProofBatch', n: 6, method: 'verifyBlobs', key: 'blobs6' },
  { op: 'verifyCellKzgProofBatch', n: 48, method: 'verifyCells', key: 'cells48' },
  { op: 'verifyCellKzgProofBatch', n: 168, method: 'verifyCells', key: 'cells168' },
]

/** What only a page that has loaded nothing can show. */
const STARTS = ['coldStart', 'firstCommitment']

/** Those that were asked for by their name, or by what stands before its colon. */
export function choose(wanted = IMPLEMENTATIONS) {
  const chosen = IMPLEMENTATIONS.filter(
    (name) => wanted.includes(name) || wanted.includes(name.split(':')[0]),
  )
  if (chosen.length === 0) throw new Error(`implementations in Chromium are ${IMPLEMENTATIONS.join(', ')}`)
  return chosen
}

/** Columns that are sampled of a block of 21 blobs. */
const SAMPLES = [8, 26]
const SAMPLED_BLOBS = 21

/** A turn at a row. */
const CALLS = 5
/** Who takes longer than this to start gets two rounds. */
const LONG_START_MS = 5000

export async function benchBrowser({ args, rounds, peers: names, json, markdown }) {
  const progress = new Progress()
  const folder = mkdtempSync(join(tmpdir(), 'blobcheck-bench-browser-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))

  progress.show('making blobs, cells and proofs')
  const maker = start('make-inputs.mjs', [folder, 64, 21, 0])
  const cause = await maker.ended
  if (maker.child.exitCode !== 0) throw new Error(`the inputs could not be made: ${cause}`)
  const site = await serve(folder, hexInputs(readInputs(join(folder, 'inputs.bin'))))

  progress.show('making a block to be sampled')
  const { close: closeBeacon, ...beacon } = await startBeaconServer(SAMPLED_BLOBS)
  const executablePath = await ensureChromium((step) => console.log(`set-up: ${step}`))
  const browser = await chromium.launch({ executablePath, args: CHROMIUM_ARGS })
  const report = {
    env: {
      ...describeMachine(),
      browser: `Chromium ${browser.version()}, headless`,
      packages: describePackages(names),
      command: ['npm run bench:browser', ...(args.length > 0 ? ['--', ...args] : [])].join(' '),
    },
    idle: null,
    results: [],
    scaling: [],
    mainThread: [],
    failures: [],
  }
  try {
    const samples = new Map()
    const scaling = new Map()
    const about = {}
    const note = (op, n, impl, sample) => {
      const key = `${op}/${n}/${impl}`
      samples.set(key, [...(samples.get(key) ?? []), { op, n, impl, ...sample }])
    }
    for (let round = 1; round <= rounds; round++) {
      for (const impl of names) {
        const slow = (samples.get(`coldStart/1/${impl}`)?.[0].wallMs ?? 0) > LONG_START_MS
        if (about[impl] === null || (slow && round > 2)) continue
        progress.show(`round ${round} of ${rounds}   ${impl}`)
        let page
        try {
          page = await freshPage(browser, site, impl)
          note('firstCommitment', 1, impl, await page.evaluate((name) => globalThis.bench.commit(name), impl))
          await page.context().close()
          page = await freshPage(browser, site, impl)
          const { about: how, ...sample } = await page.evaluate((name) => globalThis.bench.start(name), impl)
          about[impl] = how
          note('coldStart', 1, impl, sample)
          for (const row of ROWS) {
            for (let call = 0; call <= CALLS; call++) {
              const sample = await page.evaluate((wanted) => globalThis.bench.run(wanted), row)
              note(call === 0 ? `${row.op}:first` : row.op, row.n, impl, sample)
            }
          }
          if (impl.startsWith('blobcheck')) {
            await page.evaluate(
              ([{ network, url, header }, kernel]) =>
                globalThis.bench.prepareSampling(network, url, header, kernel),
              [beacon, impl.split(':')[1]],
            )
            for (const columns of SAMPLES) {
              for (let call = 0; call <= CALLS; call++) {
                const sample = await page.evaluate((count) => globalThis.bench.sample(count), columns)
                note(call === 0 ? 'sampleBlock:first' : 'sampleBlock', columns, impl, sample)
              }
            }
            for (const { title, calls } of await traceRows(browser, page)) {
              const before = report.mainThread.find((row) => row.impl === impl && row.title === title)
              if (before === undefined) report.mainThread.push({ impl, title, calls })
              else before.calls.push(...calls)
            }
            for (const way of await page.evaluate((name) => globalThis.bench.scale(name, 3), impl)) {
              const key = `${impl}/${way.workers}`
              const before = scaling.get(key) ?? { impl, ...way, wallMs: [], longestBlockMs: [] }
              scaling.set(key, {
                ...before,
                wallMs: [...before.wallMs, ...way.wallMs],
                longestBlockMs: [...before.longestBlockMs, ...way.longestBlockMs],
              })
            }
          }
          report.idle ??= await page.evaluate(() => globalThis.bench.idle())
        } catch (error) {
          about[impl] = null
          report.failures.push({ impl, failure: error.message.split('\n')[0] })
        } finally {
          await page?.context().close()
        }
      }
      progress.milestone(`round ${round} of ${rounds} done`)
    }
    report.results = [...samples.values()]
      .filter(([{ op }]) => !op.endsWith(':first'))
      .map((taken) => {
        const [{ op, n, impl }] = taken
        const first = STARTS.includes(op) ? taken : (samples.get(`${op}:first/${n}/${impl}`) ?? [])
        return {
          op,
          impl,
          n,
          about: about[impl] ?? '',
          cpuMs: null,
          wallMs: median(taken.map(({ wallMs }) => wallMs)),
          coldMs: first[0]?.wallMs ?? null,
          runs: taken.length,
          longestBlockMs: median(taken.map(({ longestBlockMs }) => longestBlockMs)),
          droppedFrames: median(taken.map(({ droppedFrames }) => droppedFrames)),
        }
      })
    report.scaling = [...scaling.values()].map(({ wallMs, longestBlockMs, ...way }) => ({
      ...way,
      wallMs: median(wallMs),
      longestBlockMs: median(longestBlockMs),
      runs: wallMs.length,
    }))
  } finally {
    progress.clear()
    await browser.close()
    closeBeacon()
    await site.close()
  }
  console.log(toTerminal(report))
  if (json) writeFileSync(json, `${JSON.stringify(report, null, 2)}\n`)
  if (markdown) writeSection(markdown, 'chromium', toMarkdown(report))
}

/** A page in a context of its own has no cache, neither of files nor of compiled code. */
async function freshPage(browser, site, impl) {
  const page = await (await browser.newContext()).newPage()
  await page.goto(site.url)
  await page.evaluate((name) => globalThis.bench.prepare(name), impl)
  return page
}

/** The page, built as its author would build it. */
async function serve(folder, inputs) {
  const outDir = join(folder, 'site')
  const here = fileURLToPath(new URL('.', import.meta.url))
  const shared = { root: here, configFile: false, logLevel: 'error', appType: 'mpa' }
  await build({
    ...shared,
    worker: { format: 'es' },
    resolve: {
      alias: [
        { find: /^blobcheck$/, replacement: join(root, 'dist/index.js') },
        { find: /^blobcheck\/prover$/, replacement: join(root, 'dist/prover/index.js') },
        { find: /^blobcheck\/sampler$/, replacement: join(root, 'dist/sampler/index.js') },
      ],
    },
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2022',
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      chunkSizeWarningLimit: Infinity,
      reportCompressedSize: false,
    },
  })
  writeFileSync(join(outDir, 'inputs.json'), JSON.stringify(inputs))
  const server = await preview({ ...shared, build: { outDir }, preview: { host: '127.0.0.1', port: 0 } })
  return {
    url: `http://127.0.0.1:${server.httpServer.address().port}/`,
    close: () => new Promise((resolve) => server.httpServer.close(resolve)),
  }
}

function hexInputs(inputs) {
  const { verifyBlobKzgProofBatch: blobs, verifyCellKzgProofBatch: cells } = operations
  return hex({
    first: blobs.inputs(inputs, 1),
    blobs6: blobs.inputs(inputs, 6),
    blobs64: blobs.inputs(inputs, 64),
    cells48: cells.inputs(inputs, 48),
    cells168: cells.inputs(inputs, 168),
  })
}

function hex(value) {
  if (value instanceof Uint8Array) return `0x${Buffer.from(value).toString('hex')}`
  if (Array.isArray(value)) return value.map(hex)
  if (typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, hex(entry)]))
  return value
}
