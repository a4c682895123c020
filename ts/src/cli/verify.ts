/** `blobcheck verify`: blob data in files. */
import { Command, Option } from '../vendor/commander.ts'
import { executionForks, type ForkName } from '../beacon/execution-forks.ts'
import type { NetworkConfig, NetworkName } from '../beacon/networks.ts'
import { type CommandContext, type ExitCode, withExitCode } from './command.ts'
import { networkInWords, networkOption } from './options/network.ts'
import { helpText } from './terminal/output.ts'
import { printError } from './terminal/words.ts'
import { readBlock, readHeader, readProposerKey, readVersionedHashes } from './verify/anchor.ts'
import { checkPaths, type Kind, kinds } from './verify/input.ts'
import { jsonVerifyPrinter, textVerifyPrinter } from './verify/printers.ts'

interface Options {
  readonly network: NetworkName | NetworkConfig
  readonly as?: Kind
  readonly fork?: ForkName
  readonly header?: string
  readonly block?: string
  readonly versionedHashes?: readonly string[]
  readonly proposerKey?: string
  readonly json: boolean
}

const AFTER_HELP = `
What can be verified, as binary, as hexadecimal digits, or as JSON where the Beacon API has it, also compressed with gzip:
  blob sidecars         one, a list, or an API’s answer
  data column sidecars  likewise
  blob transactions     in network form: with their blobs
  bare blobs            held against --versioned-hashes or --block

Columns of Gloas bring no commitments: they need --block.
Without --header, --block or --versioned-hashes, what is valid agrees with itself, and that is all.

Exit codes: 0 all valid, 1 something invalid or malformed, 2 bad usage, 3 could not be determined.`

/** `end` is told the exit code. */
export function verifyCommand(context: CommandContext, end: (exitCode: ExitCode) => void): Command {
  return new Command('verify')
    .description('Verify blob sidecars, data column sidecars and blob transactions in files.')
    .argument('<file...>', 'files; - is standard input')
    .addOption(networkOption())
    .addOption(new Option('--as <kind>', 'what the files hold; default: found out').choices(kinds))
    .addOption(
      new Option(
        '--fork <fork>',
        'whose rules transactions follow; default: their own wrapper tells',
      ).choices(Object.keys(executionForks)),
    )
    .addOption(
      new Option(
        '--header <root|file>',
        'the header that sidecars must belong to; you vouch for it',
      ).conflicts('versionedHashes'),
    )
    .addOption(
      new Option(
        '--block <file>',
        'the block that sidecars and bare blobs must belong to, JSON or SSZ; you vouch for it, or with --header for that',
      ).conflicts('versionedHashes'),
    )
    .option(
      '--versioned-hashes <hash,…>',
      'the versioned hashes that commitments must have; of columns, all of the block, in order',
      readVersionedHashes,
    )
    .option(
      '--proposer-key <key>',
      'the public key of the block’s proposer, 0x…, who must have signed the headers that sidecars bring; you vouch that it is theirs',
      readProposerKey,
    )
    .option('--json', 'print a line of JSON for each event', false)
    .addHelpText('after', helpText(AFTER_HELP, context.stdout))
    .action(async (files: string[], options: Options) => end(await verify(files, options, context)))
}

async function verify(
  files: readonly string[],
  options: Options,
  context: CommandContext,
): Promise<ExitCode> {
  const { stdout, stderr, signal } = context
  const printer = options.json ? jsonVerifyPrinter(stdout) : textVerifyPrinter(stdout)
  const task = async (): Promise<ExitCode> => {
    const paths = [...files, options.header, options.block]
    checkPaths(paths)
    if (paths.includes('-') && context.stdin.isTTY) stderr.write('reading from this terminal, until Ctrl-D\n')
    const { exitCodeOf, ItemVerifier } = await import('./verify/verify-items.ts')
    const { verifyFiles } = await import('./verify/verify-files.ts')
    const verifier = new ItemVerifier({
      network: options.network,
      fork: options.fork,
      header: options.header === undefined ? undefined : await readHeader(options.header, context),
      block: options.block === undefined ? undefined : await readBlock(options.block, context),
      versionedHashes: options.versionedHashes,
      proposerKey: options.proposerKey,
    })
    try {
      const counts = await verifyFiles(files, options.as, verifier, printer, context)
      const exitCode = exitCodeOf(counts)
      printer.end(counts, await verifier.blobsOfBlock(), networkInWords(options.network), exitCode)
      return exitCode
    } finally {
      await verifier.dispose()
    }
  }
  return await withExitCode(signal, task, { failed: (error) => printError(stderr, error) })
}
