/** Verdicts on a file's items: by the verifier, and for bare blobs by computing their commitments anew. */
import { decodeHex } from '../../util/hex.ts'
import { isBytes } from '../../util/bytes.ts'
import type { ForkName, NetworkConfig, NetworkName } from '../../beacon/networks.ts'
import { createVerifier } from '../../verifier/create.ts'
import type { Header } from '../../beacon/header.ts'
import type { Verifier } from '../../verifier/verifier.ts'
import type { Contents } from './contents.ts'
import { type Finding, findingOf } from './finding.ts'
import { UndeterminedError } from './undetermined.ts'
import { forkOfWrapper } from './wrapper.ts'

/** What all files are held against. */
export interface Terms {
  readonly network: NetworkName | NetworkConfig
  /** For transactions; default that of their own time. */
  readonly fork: ForkName | undefined
  readonly header: Header | undefined
  readonly versionedHashes: readonly string[] | undefined
  /** Of the proposer of the sidecars' block, as 0x hex. */
  readonly proposerKey: string | undefined
}

/** What was found out about one item, and by which fork's rules, if it is a transaction. */
export interface Judged {
  readonly finding: Finding
  readonly fork: ForkName | null
}

/** Told of how far it is, in items. */
export type OnProgress = (done: number, total: number) => void

/** Judges files, one after the other. */
export class Judge {
  readonly #terms: Terms
  #verifier: Verifier | undefined

  constructor(terms: Terms) {
    this.#terms = terms
  }

  /**
   * One for each item, in order; `source` is who is named for them. Throws `UndeterminedError` where what is asked for cannot
   * be told of such data, and `AbortError`.
   */
  async judge(
    { kind, items }: Contents,
    source: string,
    signal: AbortSignal,
    onProgress: OnProgress,
  ): Promise<Judged[]> {
    const { header, versionedHashes, proposerKey } = this.#terms
    if (proposerKey !== undefined && (kind === 'transaction' || kind === 'blobs'))
      throw new UndeterminedError(
        '--proposer-key is about the headers that sidecars bring, and here are none',
      )
    if (kind === 'transaction') return await this.#transactions(items, source, signal)
    if (kind === 'blobs') return await this.#blobs(items, signal, onProgress)
    const anchor =
      header !== undefined ? { header } : versionedHashes !== undefined ? { versionedHashes } : 'none'
    const verifier = await this.#started()
    const sidecars = items.map((sidecar) => ({ sidecar: sidecar as object, source }))
    const options = {
      anchor,
      signal,
      ...(proposerKey !== undefined && { proposerKey }),
      onProgress: (progress: { stage: string; done: number; total: number }) =>
        progress.stage === 'kzg' && onProgress(progress.done, progress.total),
    } as const
    const verdicts =
      kind === 'blob-sidecars'
        ? await verifier.verifyBlobSidecars(sidecars, options)
        : await verifier.verifyDataColumnSidecars(sidecars, options)
    return verdicts.map((verdict) => ({ finding: findingOf(verdict), fork: null }))
  }

  async dispose(): Promise<void> {
    await this.#verifier?.dispose()
  }

  async #transactions(items: readonly unknown[], source: string, signal: AbortSignal): Promise<Judged[]> {
    const { header, versionedHashes } = this.#terms
    if (header !== undefined)
      throw new UndeterminedError(
        'nothing leads from a transaction in network form to a header: --versioned-hashes is what it can be held against',
      )
    const verifier = await this.#started()
    const judged: Judged[] = []
    for (const item of items) {
      const bytes = typeof item === 'string' ? decodeHex(item) : item
      const fork = this.#terms.fork ?? forkOfWrapper(isBytes(bytes) ? bytes : new Uint8Array(0))
      const verdict = await verifier.verifyBlobTransaction(item as string | Uint8Array, {
        fork,
        source,
        signal,
        ...(versionedHashes && { anchor: { versionedHashes } }),
      })
      judged.push({ finding: findingOf(verdict), fork })
    }
    return judged
  }

  async #blobs(items: readonly unknown[], signal: AbortSignal, onProgress: OnProgress): Promise<Judged[]> {
    const { versionedHashes } = this.#terms
    if (versionedHashes === undefined)
      throw new UndeterminedError(
        'bare blobs bring neither commitments nor proofs: say which --versioned-hashes they must have',
      )
    const { judgeBlobs } = await import('./blobs.ts')
    const findings = await judgeBlobs(items, versionedHashes, signal, (done) =>
      onProgress(done, items.length),
    )
    return findings.map((finding) => ({ finding, fork: null }))
  }

  async #started(): Promise<Verifier> {
    return (this.#verifier ??= await createVerifier({ network: this.#terms.network, cache: false }))
  }
}
