// What was measured, as tables: for a terminal, and for docs/benchmarks.md.
import { styleText } from 'node:util'
import { table } from './markdown.mjs'
import { operations } from './operations.mjs'
import { peers } from './peers/index.mjs'
import { digits } from './statistics.mjs'

/** The title of a table that is a section of its own. */
const WIRE = 'Over the wire, bytes'

const UNITS = { cpuMs: 'CPU', wallMs: 'wall', coldMs: 'first call' }

/** The tables as data: `{ title, note, head, rows, ours }`, where `ours` is the columns to stand out. */
function build(report, chosen) {
  const { results, failures, memory, wire, stages, scaling } = report
  const impls = [...new Set(results.map(({ impl }) => impl))]
  const isSignature = ({ op }) => operations[op].about === 'signatures'
  const blobs = impls.filter((impl) => results.some((one) => one.impl === impl && !isSignature(one)))
  const signatures = impls.filter((impl) => results.some((one) => one.impl === impl && isSignature(one)))
  const isOwn = (impl) => impl.startsWith('blobcheck')
  const find = (op, n, impl) => results.find((one) => one.op === op && one.n === n && one.impl === impl)
  const label = ({ op, n }) => {
    const { title, titles, sizes } = operations[op]
    return title ?? (titles?.[n] ? `${op}/${n}, ${titles[n]}` : sizes.length > 1 || n > 1 ? `${op}/${n}` : op)
  }
  const best = impls.find(isOwn)
  const rows = chosen.filter(({ op, n }) => impls.some((impl) => find(op, n, impl)))

  const values =
    (columns, unit) =>
    ({ op, n }) =>
      columns.map((impl) => {
        const failed = failures.some((one) => one.op === op && one.n === n && one.impl === impl)
        const found = find(op, n, impl)
        if (failed) return 'fails'
        return found === undefined && peers[impl].own ? 'not yet' : digits(found?.[unit])
      })
  const ratios = ({ op, n }) => {
    const ours = best && find(op, n, best)
    const ratio = (other, format) => (ours && other ? format(ours.cpuMs, other.cpuMs) : '–')
    return [
      ratio(find(op, n, 'c-kzg'), (mine, its) => `${(mine / its).toFixed(2)} ×`),
      ratio(find(op, n, 'kzg-wasm'), (mine, its) => `${digits(its / mine)} ×`),
    ]
  }
  const tables = []
  const add = (title, note, head, body, ours = []) =>
    body.length > 0 && tables.push({ title, note, head, rows: body, ours })

  const blobRows = rows.filter((row) => !isSignature(row))
  const isOurs = (columns) => columns.flatMap((impl, at) => (isOwn(impl) ? [at + 1] : []))
  for (const unit of ['cpuMs', 'wallMs', 'coldMs']) {
    const hasOthers = impls.includes('c-kzg') || impls.includes('kzg-wasm')
    const withRatios = unit === 'cpuMs' && best !== undefined && hasOthers
    add(
      `${{ cpuMs: 'CPU time', wallMs: 'Wall time', coldMs: 'First call' }[unit]}, ms`,
      {
        cpuMs:
          'Medians, all threads of the process, one core.' +
          (withRatios
            ? ` Ratios are of ${best}: its share of c-kzg’s time, and how often it fits into kzg-wasm’s.`
            : ''),
        wallMs: 'Medians.',
        coldMs:
          'The first call of each row: of a new process where loading takes less than a second, of one that has loaded and worked before otherwise.',
      }[unit],
      ['operation', ...blobs, ...(withRatios ? ['of c-kzg', 'kzg-wasm ÷'] : [])],
      blobRows.map((row) => [label(row), ...values(blobs, unit)(row), ...(withRatios ? ratios(row) : [])]),
      isOurs(blobs),
    )
  }
  const warmed = blobs.filter((impl) => isOwn(impl) && impl.split(':').length === 2)
  add(
    'Getting warm, ms',
    'Wall time of the first and of the tenth call in a new process, and the median of one that has long been running.',
    ['operation', ...warmed.flatMap((impl) => [`${impl}, first`, 'tenth', 'steady'])],
    blobRows
      .filter((row) => warmed.some((impl) => find(row.op, row.n, impl)?.tenthMs))
      .map((row) => [
        label(row),
        ...warmed.flatMap((impl) => {
          const { coldMs, tenthMs, wallMs } = find(row.op, row.n, impl) ?? {}
          return [coldMs, tenthMs, wallMs].map(digits)
        }),
      ]),
  )
  add(
    'Signatures, ms',
    'A sync committee of 512 keys. blobcheck verifies with the sum of all keys less the absentees’, by the committee’s root; the others add up the keys of those who signed.',
    ['operation', 'time', ...signatures],
    rows
      .filter(isSignature)
      .flatMap((row) =>
        Object.entries(UNITS).map(([unit, name]) => [label(row), name, ...values(signatures, unit)(row)]),
      ),
    signatures.flatMap((impl, at) => (isOwn(impl) ? [at + 2] : [])),
  )
  add(
    'Workers',
    'Not held on one core. Beside our way (sums from the workers, one pairing) the same 64 blobs with a whole verification in each worker, as rust-kzg has it. Medians; and the quickest tenth of all calls, which meet little else on the machine.',
    ['', 'workers', 'wall, ms', 'CPU, ms', 'faster than one', 'quickest tenth, ms', 'faster than one'],
    scaling.map(({ impl, way, workers, n, wallMs, cpuMs, quickMs }) => {
      const same = way === 'a pairing per worker' ? 'verifyBlobs' : way
      const one = scaling.find(
        (other) => other.impl === impl && other.n === n && other.workers === 1 && other.way === same,
      )
      return [
        `${impl}, ${way}/${n}`,
        String(workers),
        digits(wallMs),
        digits(cpuMs),
        `${(one.wallMs / wallMs).toFixed(2)} ×`,
        digits(quickMs),
        `${(one.quickMs / quickMs).toFixed(2)} ×`,
      ]
    }),
  )
  add(
    'Stages, ms',
    'CPU time of the tasks that workers do, in one thread. The planner splits batches by it (ts/src/verifier/batch/plan.ts).',
    ['', 'units', 'CPU, ms', 'a unit'],
    stages.map(({ impl, stage, kind, n, cpuMs }) => [
      `${impl}, ${stage} ${kind}s`,
      String(n),
      digits(cpuMs),
      stage === 'close' ? '–' : digits(cpuMs / n),
    ]),
  )
  add(
    WIRE,
    'All that a page downloads before its first verdict, bundled by Vite; each file compressed by itself.',
    ['', 'files', 'raw', 'gzip', 'brotli'],
    wire.map(({ impl, files, ...sizes }) => [
      impl,
      String(files),
      ...[sizes.rawBytes, sizes.gzipBytes, sizes.brotliBytes].map((bytes) => bytes.toLocaleString('en-GB')),
    ]),
  )
  add(
    'Memory, MiB',
    'Peak resident sets: of a process that has given its first verdict, with what it grew by from the start of the import; and of one that has done all rows, the inputs included.',
    ['', 'first verdict: grown by', 'whole process', 'all rows'],
    memory.map(({ impl, firstVerdictMib, processMib, wholeRunMib }) => [
      impl,
      ...[firstVerdictMib, processMib, wholeRunMib].map(digits),
    ]),
  )
  const fails = failures.map(
    ({ op, n, impl, failure }) => `${impl}, ${n === null ? op : `${op}/${n}`}: ${failure}`,
  )
  return { tables, fails }
}

function describe({
  date,
  cpu,
  cores,
  memoryGib,
  system,
  node,
  v8,
  core,
  packages,
  command,
  complete,
  tookS,
}) {
  return [
    [
      'measured',
      `${date.slice(0, 16).replace('T', ' ')} UTC, ${complete ? `in ${tookS} s` : 'not to its end'}`,
    ],
    ['machine', `${cpu}, ${cores} cores, ${memoryGib} GiB, ${system}`],
    ['engine', `Node ${node}, V8 ${v8}${core === null ? '' : `, each process held on core ${core}`}`],
    [
      'packages',
      Object.entries(packages)
        .map(([name, version]) => `${name} ${version}`)
        .join(', '),
    ],
    ['command', command],
  ]
}

/**
 * The sections of a Markdown file that a report has something for, by their names: what an engine takes, and the bytes over the wire, which are
 * the same whatever engine runs the bench.
 */
export function toMarkdown(report, rows) {
  const { tables, fails } = build(report, rows)
  const major = report.env.node.split('.')[0]
  const about = Object.fromEntries(describe(report.env))
  const list = (names) =>
    names.map((name) => `- ${name}: ${name === 'command' ? `\`${about[name]}\`` : about[name]}`).join('\n')
  const body = ({ note, head, rows: cells, ours }) => {
    const emphasised = cells.map((line) =>
      line.map((cell, at) => (ours.includes(at) && /[0-9]/.test(cell) ? `**${cell}**` : cell)),
    )
    return `${note}\n\n${table(head, emphasised)}`
  }
  const sections = {}
  const wire = tables.find(({ title }) => title === WIRE)
  if (wire !== undefined)
    sections.wire = [`## ${WIRE}`, list(['measured', 'packages', 'command']), body(wire)].join('\n\n')
  const others = tables.filter((one) => one !== wire)
  if (others.length > 0)
    sections[`node-${major}`] = [
      `## Node ${major}`,
      list(Object.keys(about)),
      ...others.map((one) => `### ${one.title}\n\n${body(one)}`),
      ...(fails.length > 0 ? [`### Failures\n\n${fails.map((line) => `- ${line}`).join('\n')}`] : []),
    ].join('\n\n')
  return sections
}

export function toTerminal(report, rows) {
  const { tables, fails } = build(report, rows)
  const paint = painter()
  const parts = tables.map(({ title, note, head, rows: body, ours }) => {
    const widths = head.map((name, at) =>
      Math.max(...[name, ...body.map((cells) => cells[at])].map((cell) => cell.length)),
    )
    const pad = (cell, at) => (at === 0 ? cell.padEnd(widths[at]) : cell.padStart(widths[at]))
    const line = (cells, style) => `  ${cells.map((cell, at) => style(pad(cell, at), at)).join('  ')}`
    const dim = (text) => paint('dim', text)
    return [
      `\n${paint('bold', title)}  ${dim(note)}`,
      line(head, dim),
      ...body.map((cells) => line(cells, (text, at) => (ours.includes(at) ? paint('green', text) : text))),
    ].join('\n')
  })
  if (fails.length > 0)
    parts.push(`\n${paint('bold', 'Failures')}\n${fails.map((text) => `  ${paint('red', text)}`).join('\n')}`)
  const about = describe(report.env).map(([name, text]) => paint('dim', `${name.padEnd(9)} ${text}`))
  return `${parts.join('\n')}\n\n${about.join('\n')}`
}

/** Colour where the terminal wants it. */
function painter() {
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env
  const wanted = FORCE_COLOR
    ? FORCE_COLOR !== '0'
    : process.stdout.isTTY === true && !NO_COLOR && TERM !== 'dumb'
  return (style, text) => (wanted ? styleText(style, text) : text)
}
