// What Chromium measured, as tables.
import { table } from '../markdown.mjs'
import { digits, median } from '../statistics.mjs'

const TITLES = {
  'coldStart/1': 'import → first verdict',
  'firstCommitment/1': 'import → first commitment',
  'verifyBlobKzgProofBatch/6': 'batch of 6 blobs',
  'verifyCellKzgProofBatch/48': '48 cells: 8 columns × 6 blobs',
  'verifyCellKzgProofBatch/168': '168 cells: 8 columns × 21 blobs',
  'sampleBlock/8': '8 columns of 21 blobs sampled',
  'sampleBlock/26': '26 columns of 21 blobs sampled',
}

const HEAD = [
  '',
  'implementation',
  'runs in',
  'wall, ms',
  'first call, ms',
  'longest block, ms',
  'frames dropped',
]

function rowsOf({ results }) {
  return Object.entries(TITLES).flatMap(([key, title]) =>
    results
      .filter(({ op, n }) => `${op}/${n}` === key)
      .map(({ impl, about, wallMs, coldMs, longestBlockMs, droppedFrames }) => [
        title,
        impl,
        about,
        ...[wallMs, coldMs, longestBlockMs].map(digits),
        String(droppedFrames),
      ]),
  )
}

const SCALING_HEAD = ['64 blobs', 'workers', 'wall, ms', 'longest block, ms', 'faster than one']

function scalingRows({ scaling }) {
  return scaling.map(({ impl, workers, wallMs, longestBlockMs }) => {
    const one = scaling.find((other) => other.impl === impl && other.workers === 1)
    return [
      impl,
      String(workers),
      digits(wallMs),
      digits(longestBlockMs),
      `${(one.wallMs / wallMs).toFixed(2)} ×`,
    ]
  })
}

const MAIN_THREAD_HEAD = [
  'main thread',
  'implementation',
  'longest task, CPU ms',
  'in the worst call',
  'garbage collector',
]

function mainThreadRows({ mainThread }) {
  const titles = new Set(mainThread.map(({ title }) => title))
  return [...titles].flatMap((wanted) =>
    mainThread
      .filter(({ title }) => title === wanted)
      .map(({ title, impl, calls }) => {
        const [tasks, collectors] = ['taskMs', 'collectorMs'].map((key) => calls.map((call) => call[key]))
        const figures = [median(tasks), Math.max(...tasks), Math.max(...collectors)]
        return [title, impl, ...figures.map(digits)]
      }),
  )
}

const mainThreadNote =
  'Tasks of the main thread by Chromium’s trace, in CPU time: the longest task of a call, as the median of all calls and in the worst ' +
  'one; and apart from these, also of the worst call, the longest task of the engine’s garbage collectors.'

const note = ({ idle }) =>
  'Medians, of wall time, since a page cannot ask for CPU time. The longest block is the longest silence of a timer on the ' +
  `main thread while the call runs, medians too; a page that does nothing has one of ${digits(idle?.longestBlockMs)} ms and drops ${idle?.droppedFrames} frames. ` +
  'Files come from this machine: a network would add its time to the first two rows, each of which has a page of its own; so do the sampled columns, from a ' +
  'server of another process.'

function describe({ date, cpu, cores, memoryGib, system, browser, packages, command }) {
  return [
    ['measured', `${date.slice(0, 16).replace('T', ' ')} UTC`],
    ['machine', `${cpu}, ${cores} cores, ${memoryGib} GiB, ${system}`],
    ['engine', browser],
    [
      'packages',
      Object.entries(packages)
        .map(([name, version]) => `${name} ${version}`)
        .join(', '),
    ],
    ['command', command],
  ]
}

const failuresOf = ({ failures }) => failures.map(({ impl, failure }) => `${impl}: ${failure}`)

export function toMarkdown(report) {
  const about = describe(report.env).map(
    ([name, text]) => `- ${name}: ${name === 'command' ? `\`${text}\`` : text}`,
  )
  const fails = failuresOf(report).map((text) => `- ${text}`)
  const scaling = scalingRows(report)
  const mainThread = mainThreadRows(report)
  return [
    '## Chromium',
    about.join('\n'),
    note(report),
    table(HEAD, rowsOf(report)),
    scaling.length > 0 ? table(SCALING_HEAD, scaling) : '',
    ...(mainThread.length > 0 ? [mainThreadNote, table(MAIN_THREAD_HEAD, mainThread)] : []),
    fails.join('\n'),
  ]
    .filter(Boolean)
    .join('\n\n')
}

export function toTerminal(report) {
  const rows = rowsOf(report)
  const widths = HEAD.map((name, at) => Math.max(name.length, ...rows.map((cells) => cells[at].length)))
  const line = (cells) =>
    `  ${cells.map((cell, at) => (at < 3 ? cell.padEnd(widths[at]) : cell.padStart(widths[at]))).join('  ')}`
  const groups = rows.map((cells, at) => {
    const isFirst = at === 0 || rows[at - 1][0] !== cells[0]
    return `${isFirst && at > 0 ? '\n' : ''}${line([isFirst ? cells[0] : '', ...cells.slice(1)])}`
  })
  const about = describe(report.env).map(([name, text]) => `${name.padEnd(9)} ${text}`)
  const scaling = [SCALING_HEAD, ...scalingRows(report)].map((cells) => `  ${cells.join('   ')}`)
  const mainThread = [MAIN_THREAD_HEAD, ...mainThreadRows(report)].map((cells) => `  ${cells.join('   ')}`)
  const parts = [
    '',
    line(HEAD),
    ...groups,
    '',
    ...scaling,
    '',
    ...mainThread,
    ...failuresOf(report),
    '',
    note(report),
    mainThreadNote,
    '',
    ...about,
  ]
  return parts.join('\n')
}
