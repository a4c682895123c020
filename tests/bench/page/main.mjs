// When a visitor of the demo page sees the first verdict: cold, with nothing kept in the browser, and warm, when the page is loaded again.
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import { CHROMIUM_ARGS, findChromium } from '../../../scripts/chromium.mjs'
import { describeMachine } from '../environment.mjs'
import { digits, median } from '../statistics.mjs'

const cli = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url))

/** What each load is measured by, in milliseconds after the navigation began. */
const ROWS = {
  paint: 'first paint',
  script: 'page script there',
  module: 'module there',
  first: 'first verdict painted',
  all: 'all verdicts painted',
}

/** @typedef {Record<keyof typeof ROWS, number>} Load */

/** Loads the page `rounds` times in new contexts of a browser, and once more in each; what was measured of each load. */
export async function measurePage({ browser, origin, rounds, log = () => {} }) {
  /** @type {Load[]} */
  const cold = []
  /** @type {Load[]} */
  const warm = []
  for (let round = 0; round < rounds; round++) {
    const context = await browser.newContext()
    const page = await context.newPage()
    await page.addInitScript(watchVerdicts)
    await page.goto(origin)
    cold.push(await measured(page))
    // All that the first visit does afterwards, so that it is over: the cells, the control, and the service worker.
    await page.waitForFunction(() => document.querySelector('#offline').textContent !== '')
    await page.reload()
    warm.push(await measured(page))
    await context.close()
    log(`${round + 1}/${rounds}: cold ${digits(cold.at(-1).first)} ms, warm ${digits(warm.at(-1).first)} ms`)
  }
  return { cold, warm }
}

/** Measures the page as the package serves it, and prints medians as a table. */
export async function benchPage({ rounds }) {
  const server = await serve()
  const browser = await chromium.launch({
    executablePath: findChromium(),
    args: CHROMIUM_ARGS,
  })
  try {
    const loads = await measurePage({ browser, origin: server.origin, rounds, log: console.log })
    console.log(`\n${tableOf(loads)}`)
  } finally {
    await browser.close()
    server.stop()
  }
}

export function tableOf({ cold, warm }) {
  const { cpu, cores, commit, date } = describeMachine()
  const medianOf = (loads, row) => digits(median(loads.map((load) => load[row])))
  return [
    `The demo page in Chromium, medians of ${cold.length} loads in ms after the navigation began. ${cpu}, ${cores} cores, ${commit}, ${date}.`,
    '',
    '| | cold | warm |',
    '|---|---|---|',
    ...Object.entries(ROWS).map(
      ([row, name]) => `| ${name} | ${medianOf(cold, row)} | ${medianOf(warm, row)} |`,
    ),
  ].join('\n')
}

/** Runs in the page, before its own scripts: notes when verdicts were painted. */
function watchVerdicts() {
  const seen = { first: null, all: null }
  Object.assign(globalThis, { verdictsSeen: seen })
  const look = () => {
    const cards = [...document.querySelectorAll('.card')]
    const judged = cards.filter(({ dataset }) => ['valid', 'remembered', 'rejected'].includes(dataset.state))
    const painted = (name) =>
      requestAnimationFrame(() => {
        // After the frame in which it is drawn.
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = () => (seen[name] ??= performance.now())
        port2.postMessage(null)
      })
    if (judged.length > 0 && seen.first === null) painted('first')
    if (judged.length === cards.length && judged.length > 0 && seen.all === null) painted('all')
  }
  new MutationObserver(look).observe(document, {
    subtree: true,
    childList: true,
    attributes: true,
    attributeFilter: ['data-state'],
  })
}

async function measured(page) {
  await page.waitForFunction(() => globalThis.verdictsSeen.all !== null)
  return await page.evaluate(() => {
    const end = (pattern) =>
      performance.getEntriesByType('resource').find(({ name }) => pattern.test(name))?.responseEnd ?? null
    return {
      paint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? null,
      script: end(/\/assets\/index-[^/]*\.js$/),
      module: end(/verifier_[^/]*\.wasm$/),
      ...globalThis.verdictsSeen,
    }
  })
}

/** The page as the package serves it. */
async function serve() {
  const child = spawn(process.execPath, [cli, 'demo', '--port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const line of createInterface(child.stdout)) {
    const origin = /https?:\/\/[^\s/]+/.exec(line)?.[0]
    if (origin !== undefined) return { origin, stop: () => child.kill() }
  }
  throw new Error('blobcheck demo has not printed an address')
}
