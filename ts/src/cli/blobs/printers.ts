/** What happens in `blobcheck blobs`, for whoever shows it: as lines of JSON, or for people. */
import type { BlobsProgress } from '../../blobs/options.ts'
import type { BlobsResult } from '../../blobs/result.ts'
import { printable } from '../../util/printable.ts'
import type { CommandContext, ExitCode } from '../command.ts'
import { trustSentences } from '../options/trust.ts'
import { isLive, jsonLine, Lines, type Output, styleFor } from '../terminal/output.ts'
import { printError } from '../terminal/words.ts'
import { resultLines } from './result-text.ts'

/** What is going to be done. */
export interface Beginning {
  /** The transaction, or the block. */
  readonly wanted: string
  readonly network: string
  /** On whose word a block is taken to be of the chain. */
  readonly trust: keyof typeof trustSentences
  /** Who is asked: origins. */
  readonly endpoints: readonly string[]
}

/** Where events go. */
export interface BlobsPrinter {
  began(beginning: Beginning): void
  /** Headers are on their way; `what` is how far they are. */
  waiting(what: string): void
  /** Of the chain that is followed: what went wrong, or came right again. */
  news(text: string, isTrouble: boolean): void
  progress(progress: BlobsProgress): void
  /** The end of the search; `files` are the blobs that were written, `trouble` is what kept the header from being known. */
  result(result: BlobsResult, files: readonly string[], trouble: string | null): void
  failed(error: Error): void
  /** Nothing follows. */
  end(exitCode: ExitCode): void
}

/** `blobcheck blobs --json`: a line for each event, which `event` names. */
export function jsonBlobsPrinter(out: Output): BlobsPrinter {
  const print = (event: string, data: object): void => void out.write(jsonLine({ event, ...data }))
  return {
    began: (beginning) => print('began', beginning),
    waiting: (detail) => print('waiting', { detail }),
    news: (detail, isTrouble) => print('news', { detail, isTrouble }),
    progress: (progress) => print('progress', progress),
    result: (result, files, trouble) => print('result', { ...withoutBytes(result, files), trouble }),
    failed: (error) => print('failed', { error: error.name, message: error.message }),
    end: (exitCode) => print('end', { exitCode }),
  }
}

/** A result whose blobs are in files. */
function withoutBytes(result: BlobsResult, files: readonly string[]): object {
  const blobs = result.blobs.map(({ index, commitment, versionedHash }, at) => ({
    ...{ index, commitment, versionedHash },
    file: files[at] ?? null,
  }))
  return { ...result, blobs }
}

/** `blobcheck blobs` for people. What is under way is shown on a terminal alone. */
export function textBlobsPrinter({
  stdout,
  stderr,
}: Pick<CommandContext, 'stdout' | 'stderr'>): BlobsPrinter {
  const lines = new Lines(stdout)
  const styled = styleFor(stdout)
  const print = (text: string): void => lines.print(text, '    ')
  let wanted = ''
  let waitedFor = ''
  return {
    began(beginning) {
      wanted = beginning.wanted
      print(`network: ${beginning.network}`)
      print(trustSentences[beginning.trust])
      print(`asked: ${printable(beginning.endpoints.join(', '))}`)
    },
    waiting(what) {
      if (isLive(stdout)) lines.status(printable(what))
      // Once, for those who read a log: how far it is changes every two seconds.
      else if (waitedFor === '') print(`${printable(what)} …`)
      waitedFor = what
    },
    news: (text, isTrouble) => {
      if (isTrouble) print(printable(text))
    },
    progress: ({ stage, done, total }) => lines.status(`${wanted}: ${stage} ${done}/${total}`),
    result(result, files, trouble) {
      for (const line of resultLines(wanted, result, styled)) print(line)
      if (trouble !== null) print(`  ${printable(trouble)}`)
      if (files.length > 0) print(`  written: ${printable(files.join(', '))}`)
    },
    failed(error) {
      lines.clear()
      printError(stderr, error)
    },
    end: () => lines.clear(),
  }
}
