/** `blobcheck serve`: a Beacon API of one's own, and the JSON-RPC of an execution node beside it, to try things on. */
import { Command, Option } from '../vendor/commander.ts'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { nodeNames } from '../serve/implementations.ts'
import type { Listening } from '../serve/listen.ts'
import type { Chain, ChainProgress, FaultRule, NodeName } from '../serve/index.ts'
import {
  type CommandContext,
  endsWell,
  type ExitCode,
  exitCodes,
  untilAborted,
  withExitCode,
} from './command.ts'
import { fileFault, unwrittenReason } from './files.ts'
import { integerUpTo } from './options/arguments.ts'
import { hostOption } from './options/endpoints.ts'
import { writeNetwork } from './options/network.ts'
import { addFaultOptions, type FaultOptions, rulesOf, uselessFault } from './serve/faults.ts'
import { jsonLine, Lines } from './terminal/output.ts'
import { printableLines } from './terminal/text.ts'
import { notePort, printError, printWarning } from './terminal/words.ts'

interface Options extends FaultOptions {
  readonly port: number
  readonly executionPort?: number
  readonly host: string
  readonly real: boolean
  readonly blobs: number
  readonly slots: number
  readonly secondsPerSlot: number
  readonly gloasEpoch?: number
  readonly withholdPayloads?: number
  readonly networkFile?: string
  readonly seed: number
  readonly nodesLike?: NodeName
  readonly json: boolean
}

/** `end` is told the exit code. */
export function serveCommand(context: CommandContext, end: (exitCode: ExitCode) => void): Command {
  const command = new Command('serve')
    .description(
      'Serve a Beacon API from this machine, over a chain of its own, as good or as bad as you want it.',
    )
    .option('-p, --port <number>', 'port; 0 for any that is free', integerUpTo(65_535), 5_052)
    .option(
      '--execution-port <number>',
      'serve the JSON-RPC of its execution layer, too, on this port; 0 for any that is free',
      integerUpTo(65_535),
    )
    .addOption(hostOption())
    .addOption(
      new Option('--real', 'one real block, Holesky’s 1409759, with the columns of its six blobs')
        .default(false)
        .conflicts(['blobs', 'slots', 'secondsPerSlot', 'gloasEpoch', 'withholdPayloads']),
    )
    .option('--blobs <count>', 'blobs of each block of a made chain', integerUpTo(128), 6)
    .option('--slots <count>', 'slots that a made chain has at the start', integerUpTo(100_000, 1), 160)
    .option('--seconds-per-slot <seconds>', 'how fast a made chain grows', integerUpTo(3_600, 1), 12)
    .option(
      '--gloas-epoch <epoch>',
      'when a made chain goes on into Gloas; else never',
      integerUpTo(1_000_000, 3),
    )
    .option(
      '--withhold-payloads <n>',
      'never reveal the payload of a block of Gloas whose slot is a multiple of n; needs --gloas-epoch',
      integerUpTo(100_000, 1),
    )
    .option('--network-file <file>', 'where to keep the network config, for --network of other commands')
    .addOption(
      new Option('--nodes-like <name>', 'answer as this implementation does where nodes differ').choices(
        nodeNames,
      ),
    )
    .option('--seed <number>', 'what blobs and chance are drawn from', integerUpTo(2 ** 31), 1)
    .option('--json', 'say what is served as a line of JSON', false)
  return addFaultOptions(command).action(async (options: Options) => {
    if (options.withholdPayloads !== undefined && options.gloasEpoch === undefined)
      command.error(
        "error: option '--withhold-payloads <n>' needs --gloas-epoch: before Gloas payloads are in blocks",
      )
    const useless = uselessFault(options, options.executionPort !== undefined)
    if (useless !== null) command.error(`error: option '${useless.flags}' ${useless.reason}`)
    end(
      await withExitCode(context.signal, () => serve(options, context), {
        interrupted: endsWell,
        failed: (error) => printError(context.stderr, error),
      }),
    )
  })
}

async function serve(options: Options, context: CommandContext): Promise<ExitCode> {
  const { serveBeacon, serveExecution } = await import('../serve/node.ts')
  const { port, executionPort, host, seed, nodesLike } = options
  const rules = rulesOf(options)
  const chain = await chainOf(options, context)
  const common = { chain, host, faults: { seed, rules } }
  const servers = [await serveBeacon({ ...common, port, ...(nodesLike && { nodesLike }) })]
  let file: string | null = null
  try {
    if (executionPort !== undefined)
      servers.push(
        await serveExecution({ ...common, port: executionPort }).catch((error: unknown) => {
          notePort(error, '--execution-port')
          throw error
        }),
      )
    file = await keepNetwork(`${writeNetwork(chain.network)}\n`, options, context)
    const [{ url }, execution] = servers as [Listening, Listening?]
    const served = { chain, url, executionUrl: execution?.url ?? null, file, rules }
    context.stdout.write(options.json ? jsonLine(facts(served)) : printableLines(words(served)))
    await untilAborted(context.signal)
    return exitCodes.ok
  } finally {
    await Promise.all(servers.map((server) => server.close()))
    if (options.networkFile === undefined && file !== null)
      await rm(dirname(file), { recursive: true, force: true })
  }
}

/**
 * Writes the network config where `--network-file` says, else into a folder of its own, and resolves with the file's absolute path, which is good in another terminal, too. Null where nobody asked for one
 * and none can be written, as in a container that may only be read: it says so, since what is served needs none.
 */
async function keepNetwork(
  text: string,
  { networkFile }: Options,
  { stderr }: CommandContext,
): Promise<string | null> {
  if (networkFile !== undefined) {
    await writeFile(networkFile, text).catch((error: unknown) => {
      throw fileFault(error, '--network-file', networkFile)
    })
    return resolve(networkFile)
  }
  let folder: string | null = null
  try {
    folder = await mkdtemp(join(tmpdir(), 'blobcheck-serve-'))
    const file = join(folder, 'network.json')
    await writeFile(file, text)
    return file
  } catch (error) {
    if (folder !== null) await rm(folder, { recursive: true, force: true })
    const reason = unwrittenReason(error)
    if (reason === null) throw error
    printWarning(
      stderr,
      `the network config cannot be kept in ${tmpdir()}: ${reason}, so that other commands have none for --network (--network-file keeps it elsewhere)`,
    )
    return null
  }
}

async function chainOf(options: Options, { stderr, signal }: CommandContext): Promise<Chain> {
  const { makeChain, realChain } = await import('../serve/index.ts')
  const { blobs, slots, secondsPerSlot, gloasEpoch = Infinity, withholdPayloads, seed } = options
  const progress = new Lines(stderr)
  const onProgress = ({ done, total }: ChainProgress): void =>
    progress.status(`proving blobs ${done}/${total}`)
  try {
    if (!options.real)
      return await makeChain({
        ...{ slots, blobsPerBlock: blobs, secondsPerSlot, gloasForkEpoch: gloasEpoch },
        isPayloadWithheld: (slot) => withholdPayloads !== undefined && slot % withholdPayloads === 0,
        ...{ seed, onProgress, signal },
      })
    const { readEmbeddedSidecars } = await import('../serve/node.ts')
    return await realChain({ sidecars: await readEmbeddedSidecars(), onProgress, signal })
  } finally {
    progress.clear()
  }
}

/** A call to try. */
const blockNumberCall = '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber"}'

interface Served {
  readonly chain: Chain
  readonly url: string
  readonly executionUrl: string | null
  /** Where the network config is; null where it could not be written. */
  readonly file: string | null
  readonly rules: readonly FaultRule[]
}

function facts({ chain, url, executionUrl, file, rules }: Served): object {
  const { checkpoint, network, head } = chain
  return {
    event: 'serving',
    url,
    ...(executionUrl !== null && { executionUrl }),
    ...{ checkpoint, network: file, label: network.label, head: head.slot, rules },
  }
}

function words({ chain, url, executionUrl, file, rules }: Served): string {
  const { checkpoint, network, lightClient } = chain
  // A single block has no light client: whoever asks for it takes its header on trust.
  const trust = lightClient === null ? '--trust-endpoint' : `--checkpoint ${checkpoint}`
  // Without the file there is nothing to tell the other commands of the network by.
  const common =
    file === null ? null : `--network ${/\s/.test(file) ? `"${file}"` : file} ${trust} --beacon ${url}`
  return [
    `Beacon API  ${url}`,
    ...(executionUrl === null ? [] : [`JSON-RPC    ${executionUrl}`]),
    ...(file === null
      ? [`network     ${network.label}`]
      : [`network     ${file}`, `            ${network.label}`]),
    `checkpoint  ${checkpoint}`,
    ...rules.map(
      ({ fault, probability = 1 }) =>
        `fault       ${JSON.stringify(fault)}${probability < 1 ? `, at ${probability} of the requests` : ''}`,
    ),
    '',
    'In another terminal:',
    ...(common === null || lightClient === null ? [] : [`  npx blobcheck light-client --no-store ${common}`]),
    ...(common === null ? [] : [`  npx blobcheck sample ${common}`]),
    `  curl ${url}/eth/v1/beacon/headers/head`,
    ...(executionUrl === null ? [] : [`  curl ${executionUrl} --json '${blockNumberCall}'`]),
    '',
    'Ctrl-C ends it.',
    '',
  ].join('\n')
}
