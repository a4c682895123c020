// How long one task holds a page's main thread: CPU time of that thread alone, by Chromium's own trace. A timer's silence, which
// `watch.js` measures, has in it whatever else the machine did meanwhile.

const CATEGORIES = ['toplevel', 'blink.user_timing', 'disabled-by-default-devtools.timeline']

/** What is traced: a call of the page's `mark`, and its argument. */
const ROWS = {
  'batch of 6 blobs': ['run', { method: 'verifyBlobs', key: 'blobs6' }],
  'batch of 64 blobs': ['run', { method: 'verifyBlobs', key: 'blobs64' }],
  '8 columns of 21 blobs sampled': ['sample', 8],
  '26 columns of 21 blobs sampled': ['sample', 26],
  'nothing, for half a second': ['idle'],
}
/** A turn at each row. */
const CALLS = 5

/** For each row and call the longest tasks, in a page that has made such calls before: `{ title, calls }`. */
export async function traceRows(browser, page) {
  const rows = []
  const devtools = await page.context().newCDPSession(page)
  for (const [title, call] of Object.entries(ROWS)) {
    const calls = []
    // What the page left behind when it read its inputs, tens of megabytes of text, is no call's.
    await devtools.send('HeapProfiler.collectGarbage')
    for (let at = 0; at < CALLS; at++) calls.push(longestIn(await trace(browser, page, call)))
    rows.push({ title, calls })
  }
  return rows
}

/** The events of a call. */
async function trace(browser, page, call) {
  await browser.startTracing(page, { categories: CATEGORIES })
  let written
  try {
    await page.evaluate(([name, about]) => globalThis.bench.mark(name, about), call)
  } finally {
    written = await browser.stopTracing()
  }
  return JSON.parse(written.toString()).traceEvents
}

/**
 * Between the page's two marks, the CPU time in ms of the main thread's longest task, and of the longest one of the garbage
 * collectors, which the engine runs when it likes. What is collected within another task is part of that.
 */
function longestIn(events) {
  const begin = events.find(({ name }) => name === 'bench:begin')
  const end = events.find(({ name }) => name === 'bench:end')
  if (begin === undefined || end === undefined) throw new Error('the trace has no marks')
  const ours = events.filter(({ ph, pid, tid }) => ph === 'X' && pid === begin.pid && tid === begin.tid)
  // The task that the call begins in counts, and so does the one in which it ends.
  const tasks = ours.filter(
    ({ name, ts, dur = 0 }) =>
      name === 'ThreadControllerImpl::RunTask' && ts <= end.ts && ts + dur >= begin.ts,
  )
  if (tasks.every(({ tdur }) => tdur === undefined)) throw new Error('the trace has no CPU time')
  // Without CPU time, its wall time, which is no less.
  const longest = (some) => some.reduce((most, { tdur, dur = 0 }) => Math.max(most, tdur ?? dur), 0) / 1000
  return {
    taskMs: longest(tasks.filter((task) => !isCollector(task))),
    collectorMs: longest(tasks.filter(isCollector)),
  }
}

/** Tasks tell where in Chromium's source they were posted. */
const isCollector = ({ args }) => /\/heap\//.test(args?.src_file ?? '')
