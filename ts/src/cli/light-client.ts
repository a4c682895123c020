/** `blobcheck light-client`: follows the head of the chain in a terminal. */
import { Command } from '../vendor/commander.ts'
import { resolveNetwork } from '../beacon/vetted-network.ts'
import { lagInWords } from '../light-client/clock.ts'
import type {
  Disagreement,
  EndpointReport,
  LightClient,
  LightClientReport,
  SyncProgress,
  TrustedHeader,
} from '../light-client/index.ts'
import { type CommandContext, endsWell, type ExitCode, exitCodes, withExitCode } from './command.ts'
import { beaconOption } from './options/endpoints.ts'
import { type LightClientOptions, startLightClient, withLightClientOptions } from './options/light-client.ts'
import { networkOption } from './options/network.ts'
import { warnOfStore } from './options/store.ts'
import { checkpointOption } from './options/trust.ts'
import { MAX_TIMER_MS } from '../util/timers.ts'
import { isLive, jsonLine, Lines } from './terminal/output.ts'
import { printError, printWarning } from './terminal/words.ts'

interface Options extends LightClientOptions {
  readonly once: boolean
  readonly json: boolean
}

/** `end` is told the exit code. */
export function lightClientCommand(context: CommandContext, end: (exitCode: ExitCode) => void): Command {
  const command = new Command('light-client')
  command
    .description('Carry your trust from a checkpoint to the head of the chain, and follow it.')
    .addOption(networkOption())
    .addOption(checkpointOption().makeOptionMandatory())
    .addOption(beaconOption(command).makeOptionMandatory())
    .option('--once', 'synchronise once, and end', false)
    .option('--json', 'print a line of JSON for each event', false)
  return withLightClientOptions(command).action(async (options: Options) =>
    end(await lightClient(options, context)),
  )
}

async function lightClient(options: Options, context: CommandContext): Promise<ExitCode> {
  const printer = options.json ? jsonPrinter(context) : textPrinter(context)
  const task = async (): Promise<ExitCode> => {
    await warnOfStore(options, context.stderr)
    return await follow(options, printer, context)
  }
  return await withExitCode(context.signal, task, {
    interrupted: endsWell,
    failed: (error) => printer.failed(error),
  })
}

async function follow(
  options: Options,
  printer: Printer,
  { signal, stderr }: CommandContext,
): Promise<ExitCode> {
  const client = await startLightClient(options, signal, (text) => printWarning(stderr, text))
  try {
    printer.started(client.report())
    await client.sync({ signal, onProgress: (progress) => printer.progress(progress) })
    const { secondsPerSlot, slotsPerEpoch } = resolveNetwork(options.network)
    const watch = new Watch(client, printer, slotsPerEpoch)
    watch.look()
    printer.synced(client.report())
    if (options.once) return watch.isInDoubt ? exitCodes.unknown : exitCodes.ok
    // The iterator says nothing while there is no news.
    const timer = setInterval(() => watch.look(), Math.min(secondsPerSlot * 1000, MAX_TIMER_MS))
    try {
      return await report(client, printer, watch, signal)
    } finally {
      clearInterval(timer)
    }
  } finally {
    await client.dispose()
  }
}

/** Ends by the signal alone, or by what is not about endpoints. */
async function report(
  client: LightClient,
  printer: Printer,
  watch: Watch,
  signal: AbortSignal,
): Promise<ExitCode> {
  const onError = (error: Error): void => printer.troubled(error, client.report())
  let last: TrustedHeader = client.optimistic
  for await (const header of client.headers({ signal, onError })) {
    if (header.root === last.root) continue
    last = header
    printer.head(client.report())
    watch.look()
  }
  return exitCodes.ok
}

/** Tells of what does not come as a header: once each, however often it is looked for. */
class Watch {
  readonly #client: LightClient
  readonly #printer: Printer
  readonly #slotsPerEpoch: number
  /** Contradictions. */
  readonly #told = new Set<string>()
  /** Null before the first look. */
  #isBehind: boolean | null = null

  constructor(client: LightClient, printer: Printer, slotsPerEpoch: number) {
    this.#client = client
    this.#printer = printer
    this.#slotsPerEpoch = slotsPerEpoch
  }

  /** Whether the newest header was of more than an epoch ago when it was looked at last, or endpoints contradict each other. */
  get isInDoubt(): boolean {
    return this.#isBehind === true || this.#told.size > 0
  }

  look(): void {
    const { currentSlot, disagreements, optimistic } = this.#client.report()
    const lag = lagInWords(currentSlot - optimistic.slot, this.#slotsPerEpoch)
    const isBehind = lag !== null
    if (isBehind !== this.#isBehind) this.#printer.lag(lag)
    this.#isBehind = isBehind
    for (const disagreement of disagreements) {
      // The report has it for long.
      const roots = new Set(disagreement.answers.map(({ root }) => root))
      const key = `${disagreement.slot} ${[...roots].sort().join()}`
      if (!this.#told.has(key)) this.#printer.disagreed(disagreement)
      this.#told.add(key)
    }
  }
}

/** Where events go: lines for people, or of JSON for programs. */
interface Printer {
  started(report: LightClientReport): void
  progress(progress: SyncProgress): void
  /** The first synchronisation has ended. */
  synced(report: LightClientReport): void
  /** That the newest header is of long ago, in words, or is of now (null): at first, and where that has changed. */
  lag(words: string | null): void
  /** Endpoints that contradict each other, each with the signatures of two thirds of the committee. */
  disagreed(disagreement: Disagreement): void
  /** A newer header. */
  head(report: LightClientReport): void
  /** A poll failed; the client goes on. */
  troubled(error: Error, report: LightClientReport): void
  /** The command failed. */
  failed(error: Error): void
}

/** One JSON object in a line for each event, `event` naming it. */
function jsonPrinter({ stdout }: CommandContext): Printer {
  const print = (event: string, data: object): void => void stdout.write(jsonLine({ event, ...data }))
  return {
    started: (report) => print('started', report),
    progress: (progress) => print('progress', progress),
    synced: (report) => print('synced', report),
    lag: (words) => words === null || print('behind', { message: words }),
    disagreed: (disagreement) => print('disagreement', disagreement),
    head: (report) => print('head', report),
    troubled: (error, { endpoints }) => print('trouble', { error: error.message, endpoints }),
    failed: (error) => print('failed', { error: error.name, message: error.message }),
  }
}

/** Lines for people. Progress is written over itself where the output is a terminal. */
function textPrinter({ stdout, stderr }: CommandContext): Printer {
  const lines = new Lines(stdout)
  const line = (text: string): void => lines.print(text, '  ')
  let shown = ''
  const endpoints = (report: LightClientReport): void => {
    const text = report.endpoints.map(endpointLine).join('\n')
    if (text !== shown) line(text)
    shown = text
  }
  return {
    started({ finalized, links }) {
      const how = links['sync-committee'] === 'absent' ? 'the checkpoint' : 'verified before'
      line(`starting at slot ${finalized.slot}, ${how}: ${finalized.root}`)
    },
    progress({ stage, done, total }) {
      const text = `${stages[stage]} ${done}/${total}`
      if (isLive(stdout)) lines.status(text)
      else line(text)
    },
    synced(report) {
      line(headLine(report))
      endpoints(report)
    },
    lag(words) {
      line(words ?? 'in step with the chain')
    },
    disagreed({ slot, answers }) {
      const blocks = answers.map(({ endpoint, root }) => `${root} (${endpoint})`)
      line(
        `  endpoints disagree about slot ${slot}, and two thirds signed each of its blocks: ${blocks.join(', ')}`,
      )
    },
    head(report) {
      line(headLine(report))
      if (report.endpoints.some(({ state }) => state !== 'good')) endpoints(report)
    },
    troubled(error, report) {
      line(`  ${error.message}`)
      endpoints(report)
    },
    failed(error) {
      lines.clear()
      printError(stderr, error)
    },
  }
}

const stages: Readonly<Record<SyncProgress['stage'], string>> = {
  periods: 'sync committee periods',
  finality: 'finalized header',
  optimistic: 'newest header',
}

function headLine(report: LightClientReport): string {
  const { currentSlot, finalized, optimistic, participation } = report
  const signed = participation === null ? '' : `, ${participation.signed}/${participation.of} signed`
  const block = optimistic.execution === null ? '' : `, block ${optimistic.execution.blockNumber}`
  return (
    `slot ${optimistic.slot}${block} (${ago(currentSlot - optimistic.slot)})${signed}; ` +
    `finalized ${finalized.slot} (${optimistic.slot - finalized.slot} slots before); ${optimistic.root}`
  )
}

function ago(slots: number): string {
  return slots <= 0 ? 'now' : `${slots} slot${slots === 1 ? '' : 's'} ago`
}

function endpointLine({
  name,
  state,
  requests,
  answers,
  latencyMs,
  failures,
  lastFailure,
}: EndpointReport): string {
  const counts = Object.entries(failures).map(([kind, count]) => `${count} ${kind}`)
  const speed = latencyMs === null ? '' : `, ${latencyMs} ms`
  const trouble = counts.length === 0 ? '' : `; ${counts.join(', ')} (last: ${lastFailure?.detail ?? ''})`
  return `  ${name}: ${state}, ${answers}/${requests} answers used${speed}${trouble}`
}
