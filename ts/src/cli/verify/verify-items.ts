/** Verdicts on a file's items, and how many there were of each. */
import { fromSource } from '../../verifier/sourced-sidecar.ts'
import { BlockMismatchError, SszError } from '../../beacon/block/errors.ts'
import type { Header } from '../../beacon/header.ts'
import type { ForkName } from '../../beacon/execution-forks.ts'
import type { NetworkConfig, NetworkName } from '../../beacon/networks.ts'
import { commitmentSetupFile, SetupHalf } from '../../kzg/setup.ts'
import { decodeHex } from '../../util/hex.ts'
import { isBytes } from '../../util/bytes.ts'
import { Once } from '../../util/once.ts'
import type { Reason } from '../../verdict/reasons.ts'
import { type Links, noLinks, type TransactionVerdict, type Verdict } from '../../verdict/verdict.ts'
import { createVerifier } from '../../verifier/create.ts'
import type { AnchorOption, Progress } from '../../verifier/options.ts'
import type { Verifier } from '../../verifier/verifier.ts'
import { type ExitCode, exitCodes, UsageError } from '../command.ts'
import { type BlockFile, blockRefused } from './anchor.ts'
import { type BlobsOfBlock, BlobsSeen } from './block-blobs.ts'
import { type Contents, UndeterminedError } from './input.ts'
import { forkOfWrapper, isGloasItem } from './recognise.ts'

/** The verdict on one item, without what is of no use in a terminal. */
export interface ItemResult {
  readonly status: Verdict['status']
  /** Where it was refused, and why; null where it was not, and where `detail` says why nothing is known. */
  readonly stage: string | null
  readonly reason: Reason | null
  readonly links: Links
  /** For people: why nothing could be found out, where the options do not lead to this one item's verdict. */
  readonly detail?: string
  /** Of a transaction's blobs, in order. */
  readonly blobs: readonly ItemResult[]
}

function resultOf(verdict: Verdict | TransactionVerdict): ItemResult {
  return {
    status: verdict.status,
    stage: 'stage' in verdict ? verdict.stage : null,
    reason: verdict.status === 'valid' ? null : verdict.reason,
    links: verdict.links,
    blobs: 'blobs' in verdict ? verdict.blobs.map(resultOf) : [],
  }
}

/** What all items are verified against. */
export interface ItemVerifierOptions {
  readonly network: NetworkName | NetworkConfig
  /** For transactions; default that of their own time. */
  readonly fork: ForkName | undefined
  readonly header: Header | undefined
  readonly block: BlockFile | undefined
  readonly versionedHashes: readonly string[] | undefined
  /** Of the proposer of the sidecars' block, as 0x hex. */
  readonly proposerKey: string | undefined
}

/** What was found out about one item, and by which fork's rules, if it is a transaction. */
export interface VerifiedItem {
  readonly result: ItemResult
  readonly fork: ForkName | null
}

/** Told of how far it is, in items. */
type OnProgress = (done: number, total: number) => void

/** Verifies the items of files. It starts a verifier when the first item comes, and keeps it. */
export class ItemVerifier {
  readonly #options: ItemVerifierOptions
  readonly #verifier: Once<Verifier>
  /** Null without `--block`. */
  readonly #blobsSeen: BlobsSeen | null

  constructor(options: ItemVerifierOptions) {
    this.#options = options
    this.#blobsSeen = options.block === undefined ? null : new BlobsSeen(options.block.block, options.network)
    this.#verifier = new Once(() => createVerifier({ network: options.network, cache: false }))
  }

  /**
   * Resolves with a result for each item, in their order. `source` is who is named for items that are bad. Rejects with
   * `UndeterminedError` where the options cannot be applied to such items, with `UsageError` where they make no sense, and with the
   * signal's reason.
   */
  async verify(
    contents: Contents,
    source: string,
    signal: AbortSignal,
    onProgress: OnProgress,
  ): Promise<VerifiedItem[]> {
    try {
      const verified = await this.#verify(contents, source, signal, onProgress)
      this.#blobsSeen?.add(
        contents,
        verified.map(({ result }) => result.status),
      )
      return verified
    } catch (error) {
      const { block } = this.#options
      if (block === undefined) throw error
      if (error instanceof SszError) throw blockRefused(block, error)
      if (!(error instanceof BlockMismatchError)) throw error
      const { blockRoot, headerRoot } = error
      throw new UsageError(`--block ${block.file}: it has the root ${blockRoot}, and --header ${headerRoot}`)
    }
  }

  async #verify(
    { kind, items }: Contents,
    source: string,
    signal: AbortSignal,
    onProgress: OnProgress,
  ): Promise<VerifiedItem[]> {
    const { proposerKey } = this.#options
    if (proposerKey !== undefined && (kind === 'transaction' || kind === 'blobs'))
      throw new UndeterminedError(WITHOUT_HEADERS)
    const open = kind === 'data-column-sidecars' ? this.#openOfGloas() : null
    const isOpen = items.map((item) => open !== null && isGloasItem(item))
    const judged = items.filter((_, at) => !isOpen[at])
    if (open !== null && judged.length === 0 && items.length > 0) throw new UndeterminedError(open)
    if (kind === 'transaction') return await this.#transactions(items, source, signal)
    if (kind === 'blobs') return await this.#blobs(items, source, signal, onProgress)
    const anchor = this.#anchor()
    const verifier = await this.#verifier.get()
    const sidecars = judged.map((sidecar) => fromSource(sidecar as object, source))
    const options = {
      anchor,
      signal,
      ...(proposerKey !== undefined && { proposerKey }),
      onProgress: (progress: Progress) =>
        progress.stage === 'kzg' && onProgress(progress.done, progress.total),
    } as const
    const verdicts =
      kind === 'blob-sidecars'
        ? await verifier.verifyBlobSidecars(sidecars, options)
        : await verifier.verifyDataColumnSidecars(sidecars, options)
    const results = verdicts.map(resultOf).values()
    return isOpen.map((is) => ({ result: is ? notDetermined(open!) : results.next().value!, fork: null }))
  }

  /** Why columns of Gloas cannot be judged with these options; null where they can. */
  #openOfGloas(): string | null {
    const { block, proposerKey } = this.#options
    if (block === undefined)
      return 'columns of Gloas bring no commitments: say with --block which block they must belong to'
    return proposerKey === undefined ? null : WITHOUT_HEADERS
  }

  /** How many of the blobs of `--block` were among the items so far; null without that option, and where there were none to judge. */
  async blobsOfBlock(): Promise<BlobsOfBlock | null> {
    return (await this.#blobsSeen?.count()) ?? null
  }

  async dispose(): Promise<void> {
    // One that could not be made has nothing to dispose of.
    await this.#verifier.begun?.then(
      (verifier) => verifier.dispose(),
      () => {},
    )
  }

  /** What sidecars and bare blobs are held against. */
  #anchor(): AnchorOption {
    const { block, header, versionedHashes } = this.#options
    if (block !== undefined) return { block: block.block, ...(header !== undefined && { header }) }
    if (header !== undefined) return { header }
    return versionedHashes === undefined ? 'none' : { versionedHashes }
  }

  async #transactions(
    items: readonly unknown[],
    source: string,
    signal: AbortSignal,
  ): Promise<VerifiedItem[]> {
    const { block, header, versionedHashes } = this.#options
    if (block !== undefined || header !== undefined)
      throw new UndeterminedError(
        'nothing leads from a transaction in network form to a header or a block: --versioned-hashes is what it can be held against',
      )
    const verifier = await this.#verifier.get()
    const verified: VerifiedItem[] = []
    for (const item of items) {
      const bytes = typeof item === 'string' ? decodeHex(item) : item
      const fork = this.#options.fork ?? forkOfWrapper(isBytes(bytes) ? bytes : new Uint8Array(0))
      const verdict = await verifier.verifyBlobTransaction(item as string | Uint8Array, {
        fork,
        source,
        signal,
        ...(versionedHashes && { anchor: { versionedHashes } }),
      })
      verified.push({ result: resultOf(verdict), fork })
    }
    return verified
  }

  async #blobs(
    items: readonly unknown[],
    source: string,
    signal: AbortSignal,
    onProgress: OnProgress,
  ): Promise<VerifiedItem[]> {
    const { block, versionedHashes } = this.#options
    if (block === undefined && versionedHashes === undefined)
      throw new UndeterminedError(
        'bare blobs bring neither commitments nor proofs: say which --versioned-hashes they must have, or their --block',
      )
    // What the verdicts could only say of each blob: the error says what to do.
    await new SetupHalf(commitmentSetupFile, undefined).load()
    const verifier = await this.#verifier.get()
    let done = 0
    const anchor = this.#anchor()
    const reason = block === undefined ? 'versioned-hash-not-in-anchor' : 'commitment-not-in-anchor'
    // One by one: what they are held against is of all files, in any order. The verifier's batches are not those of its calls.
    const results = items.map(async (blob) => {
      const options = { anchor, signal }
      const [verdict] = await verifier.verifyBlobs([{ blob: blob as string | Uint8Array, source }], options)
      onProgress(++done, items.length)
      const isOther = verdict?.status === 'invalid' && verdict.reason === 'commitment-mismatch'
      return { result: isOther ? notNamed(reason) : resultOf(verdict!), fork: null }
    })
    return await Promise.all(results)
  }
}

const WITHOUT_HEADERS = '--proposer-key is about the headers that sidecars bring, and here are none'

/** Of an item about which nothing could be found out, beside others about which it could. */
function notDetermined(detail: string): ItemResult {
  return { status: 'error', stage: null, reason: null, links: noLinks, detail, blobs: [] }
}

/** What a bare blob is found to be whose commitment is none of those that were named. */
function notNamed(reason: Reason): ItemResult {
  return { status: 'invalid', stage: 'anchor', reason, links: noLinks, blobs: [] }
}

/** How many files were read, and how many of their items were found to be what. */
export interface Counts {
  readonly files: number
  readonly items: number
  readonly valid: number
  readonly invalid: number
  readonly malformed: number
  /** Items that could not be verified, and files that could not be read. */
  readonly undetermined: number
}

/** The counts before the first file. */
export const noCounts: Counts = { files: 0, items: 0, valid: 0, invalid: 0, malformed: 0, undetermined: 0 }

/** The column in which a result is counted. `unchecked` is what no command asks for. */
const columns: Readonly<Record<ItemResult['status'], 'valid' | 'invalid' | 'malformed' | 'undetermined'>> = {
  valid: 'valid',
  invalid: 'invalid',
  malformed: 'malformed',
  error: 'undetermined',
  unchecked: 'undetermined',
}

/** The counts with one more file, whose items have these statuses. */
export function withFile(counts: Counts, statuses: readonly ItemResult['status'][]): Counts {
  const next = { ...counts, files: counts.files + 1, items: counts.items + statuses.length }
  for (const status of statuses) next[columns[status]]++
  return next
}

/** The counts with one more file, about which nothing could be found out. */
export function withUndetermined(counts: Counts): Counts {
  return { ...counts, files: counts.files + 1, undetermined: counts.undetermined + 1 }
}

/** The exit code of a command that has counted so much: what is bad outweighs what is not known. */
export function exitCodeOf({ invalid, malformed, undetermined }: Counts): ExitCode {
  return invalid + malformed > 0 ? exitCodes.bad : undetermined > 0 ? exitCodes.unknown : exitCodes.ok
}
