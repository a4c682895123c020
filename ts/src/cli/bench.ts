/** `blobcheck bench`: how fast this machine verifies. */
import { Command, Option } from '../vendor/commander.ts'
import type { KernelName } from '../runtime/kernel/kernel.ts'
import { benchReport } from './bench/report.ts'
import { type CommandContext, type ExitCode, exitCodes, withExitCode } from './command.ts'
import { integerUpTo } from './options/arguments.ts'
import { helpText, jsonLine, Lines } from './terminal/output.ts'
import { printError } from './terminal/words.ts'

interface Options {
  readonly quick: boolean
  readonly kernel?: KernelName
  readonly workers?: number
  readonly json: boolean
}

const AFTER_HELP = `
Random valid data is made first, with this package’s prover. Each answer counts only if it is right.

Exit codes: 0 measured, 1 an answer was wrong, 2 bad usage, 3 it could not be measured.`

/** `end` is told the exit code. */
export function benchCommand(context: CommandContext, end: (exitCode: ExitCode) => void): Command {
  return new Command('bench')
    .description(
      'Measure how fast this machine verifies blobs and cells, with each kernel and with more and more workers.',
    )
    .option('-q, --quick', 'smaller batches, fewer calls: some ten seconds', false)
    .addOption(
      new Option('--kernel <kernel>', 'only this one; default: each that is sound here').choices([
        'relaxed-simd',
        'simd128',
      ]),
    )
    .option(
      '--workers <count>',
      'up to so many; default: what a verifier starts by itself',
      integerUpTo(256, 1),
    )
    .option('--json', 'print one line of JSON', false)
    .addHelpText('after', helpText(AFTER_HELP, context.stdout))
    .action(async (options: Options) => end(await bench(options, context)))
}

async function bench(
  { quick, kernel, workers, json }: Options,
  { stdout, stderr, signal }: CommandContext,
): Promise<ExitCode> {
  const { measureAll, WrongAnswer } = await import('./bench/measure-all.ts')
  const progress = new Lines(stderr)
  const failed = (error: Error): void => printError(stderr, error)
  const task = async (): Promise<ExitCode> => {
    try {
      const onProgress = (text: string): void => progress.status(text)
      const found = await measureAll({ quick, kernel, workers: workers ?? 'auto', signal, onProgress })
      progress.clear()
      if (json) stdout.write(jsonLine({ event: 'bench', ...found }))
      else benchReport(stdout, found)
      return exitCodes.ok
    } catch (error) {
      progress.clear()
      if (!(error instanceof WrongAnswer)) throw error
      failed(error)
      return exitCodes.bad
    }
  }
  return await withExitCode(signal, task, { failed })
}
