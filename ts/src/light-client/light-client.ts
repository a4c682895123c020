/** `LightClient`: from a checkpoint that the user trusts to the headers of today. */
import { DisposedError } from '../runtime/errors.ts'
import { disposeBy } from '../util/disposable.ts'
import { joinSignals, refuseNonSignal } from '../util/signals.ts'
import { refuseNonListener } from '../util/notify.ts'
import { optionsOf, refuseUnknown } from '../util/options.ts'
import type { Header } from '../beacon/header.ts'
import { Ancestors, MAX_ANCESTORS } from './ancestors.ts'
import { BeaconUnavailableError } from '../beacon/failure.ts'
import { follow } from './follow.ts'
import type {
  Anchored,
  FollowOptions,
  LightClientOptions,
  LightClientReport,
  SyncOptions,
} from './options.ts'
import { start } from './start.ts'
import type { LightClientContext } from './context.ts'
import { Synchronizer } from './sync.ts'
import type { TrustedHeader } from './trusted-header.ts'
import type { PlatformDisposable, PlatformSignal } from '../util/platform-types.ts'

/** `dispose`, for `await using`. It is there where the engine has the symbol. */
export interface LightClient extends PlatformDisposable {}

/**
 * A light client of the consensus layer (specs/altair/light-client/light-client.md): from a checkpoint that the user trusts to the
 * newest headers, asked of endpoints that nobody needs to trust. What it hands out was signed by two thirds of a sync committee that
 * follows from the checkpoint. It computes in a worker; `dispose` ends it.
 *
 * @example
 * ```ts
 * import { LightClient } from 'blobcheck/light-client'
 *
 * const client = await LightClient.fromCheckpoint({ network: 'mainnet', checkpoint: '0x…', beacon: ['https://a.example'] })
 * await client.sync()
 * console.log(client.finalized.slot, client.optimistic.slot)
 * for (const { name, failures } of client.report().endpoints) console.log(name, failures)
 * await client.dispose()
 * ```
 */
export class LightClient {
  readonly #context: LightClientContext
  readonly #checkpoint: string
  readonly #synchronizer: Synchronizer
  readonly #ancestors: Ancestors
  readonly #end = new AbortController()
  #turn: Promise<unknown> = Promise.resolve()

  private constructor(context: LightClientContext, checkpoint: string) {
    this.#context = context
    this.#checkpoint = checkpoint
    this.#synchronizer = new Synchronizer(context)
    this.#ancestors = new Ancestors(context.engine, context.endpoints, context.vouched)
    disposeBy(this, () => this.dispose())
  }

  /**
   * Starts from a checkpoint: fetches and verifies its block and committee, or verifies what was kept from last time.
   *
   * Throws `StaleCheckpointError` where the checkpoint is older than the weak-subjectivity period,
   * `BeaconUnavailableError` where no endpoint has it (each is named), `WasmUnavailableError`, the signal's reason, and
   * `TypeError` for options that make no sense.
   *
   * @example
   * ```ts
   * import { LightClient } from 'blobcheck/light-client'
   *
   * const client = await LightClient.fromCheckpoint({
   *   network: 'mainnet',
   *   checkpoint: '0x4d611d5b93fdab69013a7f0a2f961caca0c853f87cfe9595fe50038163079360',
   *   beacon: ['https://a.example', 'https://b.example'],
   * })
   * console.log(client.finalized.slot)
   * await client.dispose()
   * ```
   */
  static async fromCheckpoint(options: LightClientOptions): Promise<LightClient> {
    const { context, checkpoint } = await start(options)
    return new LightClient(context, checkpoint)
  }

  /** The newest header that a supermajority finalized; the checkpoint's until the first `sync`. */
  get finalized(): TrustedHeader {
    return this.#context.state.finalized
  }

  /** The final header that it began with, however long ago that was: the checkpoint's, or that of a cache that was taken on trust. @internal */
  get first(): TrustedHeader {
    return this.#context.state.first
  }

  /** The newest header that enough of the sync committee signed. It may yet be reorganised away. */
  get optimistic(): TrustedHeader {
    return this.#context.state.optimistic
  }

  /**
   * Follows the chain up to now: committees period by period (`process_light_client_update`), then the newest finalized header and the
   * newest header of all. What endpoints have may be old, and true: `report.currentSlot - report.optimistic.slot` tells how far behind the
   * clock it is. Calls wait for each other. Throws `BeaconUnavailableError` where no endpoint could help, or
   * none had the newest finalized or the newest optimistic header and the one that is known is old: by more than four epochs, or four slots;
   * `StaleCheckpointError` where what was final last is too old by now, the signal's reason, and `DisposedError`; what was verified until then is kept.
   *
   * @example
   * ```ts
   * import type { LightClient } from 'blobcheck/light-client'
   *
   * export async function newestFinalizedSlot(client: LightClient): Promise<number> {
   *   const report = await client.sync({
   *     signal: AbortSignal.timeout(60_000),
   *     onProgress: ({ stage, done, total }) => console.log(`${stage} ${done}/${total}`),
   *   })
   *   for (const { name, failures } of report.endpoints) console.log(name, failures)
   *   return report.finalized.slot
   * }
   * ```
   */
  async sync(options: SyncOptions = {}): Promise<LightClientReport> {
    const { signal, onProgress, ...unknown } = optionsOf(options)
    refuseUnknown(unknown)
    refuseNonListener(onProgress, 'onProgress')
    await this.#exclusively(signal, (either) =>
      this.#synchronizer.run({ signal: either, ...(onProgress && { onProgress }) }),
    )
    return this.report()
  }

  /**
   * The present header, then the newest one at each poll where that is another one, for ever: a poll in each slot. Headers between two polls
   * are skipped, as those of a slow consumer are; then `parent_root` is not the root of the header before, and `headerAt` finds them. Endpoints
   * that fail do not end it; the signal does, with its reason, `dispose`, with `DisposedError`, and what was final last and is too old by now,
   * with `StaleCheckpointError`. The first `next()` rejects with `TypeError` for options that make no sense.
   *
   * @example
   * ```ts
   * import type { LightClient } from 'blobcheck/light-client'
   *
   * export async function printHeads(client: LightClient, signal: AbortSignal): Promise<void> {
   *   for await (const { slot, root } of client.headers({ signal })) console.log(slot, root)
   * }
   * ```
   */
  async *headers(options: FollowOptions = {}): AsyncGenerator<TrustedHeader, void, void> {
    const { signal, finality = 'optimistic', onError, ...unknown } = optionsOf(options)
    refuseUnknown(unknown)
    if (finality !== 'optimistic' && finality !== 'finalized')
      throw new TypeError("finality must be 'optimistic' or 'finalized'")
    refuseNonListener(onError, 'onError')
    const { either, release } = this.#joined(signal)
    const client = this
    const followed = {
      clock: this.#context.clock,
      get finalized() {
        return client.finalized
      },
      get optimistic() {
        return client.optimistic
      },
      get waitMs() {
        return client.#context.endpoints.waitMs
      },
      sync: async (terms: SyncOptions) => void (await client.sync(terms)),
    }
    const isPassing = (error: unknown): error is Error => error instanceof BeaconUnavailableError
    try {
      yield* follow(followed, { signal: either, finality, ...(onError && { onError }) }, isPassing)
    } catch (error) {
      throw this.#told(error, signal)
    } finally {
      release()
    }
  }

  /**
   * The header of the block in a slot, tied by its descendants to a header that is trusted; fetched block by block, up to
   * `MAX_FETCHED_ANCESTORS` of them, beyond which the answer is `unanchored`, and the next call goes on from there. Rejects with `TypeError` for what is no slot, with the signal's
   * reason, and with `DisposedError`; that endpoints have no answer is `unanchored`, too.
   *
   * @example
   * ```ts
   * import type { LightClient } from 'blobcheck/light-client'
   *
   * export async function rootAt(client: LightClient, slot: number): Promise<string | null> {
   *   const answer = await client.headerAt(slot, { signal: AbortSignal.timeout(30_000) })
   *   if (answer.status === 'anchored') return answer.header.root
   *   if (answer.reason === 'no-block') return null
   *   throw new Error(`no header of slot ${slot}: ${answer.reason}`)
   * }
   * ```
   */
  async headerAt(
    slot: number,
    options: { readonly signal?: PlatformSignal | undefined } = {},
  ): Promise<Anchored> {
    const { signal, ...unknown } = optionsOf(options)
    refuseUnknown(unknown)
    if (!Number.isSafeInteger(slot) || slot < 0) throw new TypeError('a slot is a non-negative integer')
    const { either, release } = this.#joined(signal)
    try {
      either.throwIfAborted()
      // What it began with may be nearer, however long ago that was.
      const trusted = [this.finalized, this.optimistic, this.first]
      const answer = await this.#ancestors.at(slot, trusted, either)
      if (answer.status === 'anchored' && answer.header.finalized)
        this.#synchronizer.newest.crossCheck.ancestor(answer.header)
      return answer
    } catch (error) {
      throw this.#told(error, signal)
    } finally {
      release()
    }
  }

  /**
   * Ties headers that you bring to one that is trusted: the parent of `from` (default: the finalized header), then its parent, and so on,
   * up to `MAX_ANCESTORS`. Resolves to trusted headers in the same order, or to null where they are no such chain, or are too many.
   * Rejects with `TypeError` where `from` is not a header object that this very client handed out (a copy is none) or one of
   * `headers` is no whole header, with `WasmUnavailableError` where two workers in a row crashed, and with `DisposedError`.
   *
   * @example
   * ```ts
   * import type { BeaconBlockHeader } from 'blobcheck'
   * import type { LightClient } from 'blobcheck/light-client'
   *
   * export async function isAncestor(client: LightClient, newestFirst: BeaconBlockHeader[]): Promise<boolean> {
   *   const trusted = await client.trustAncestors(newestFirst)
   *   return trusted !== null
   * }
   * ```
   */
  async trustAncestors(
    headers: readonly Header[],
    from: TrustedHeader = this.finalized,
  ): Promise<TrustedHeader[] | null> {
    if (!Array.isArray(headers)) throw new TypeError('headers must be an array')
    this.#refuseIfDisposed()
    return headers.length > MAX_ANCESTORS ? null : await this.#ancestors.of(from, headers)
  }

  /** What is known now, of the chain and of each endpoint. Nothing is asked for it; it works after `dispose`, too. */
  report(): LightClientReport {
    const { clock, endpoints, engine, records } = this.#context
    return {
      checkpoint: this.#checkpoint,
      currentSlot: clock.slot,
      finalized: this.finalized,
      optimistic: this.optimistic,
      links: this.finalized.links,
      forcedUpdates: this.#context.state.forcedUpdates,
      participation: this.#synchronizer.newest.participation,
      endpoints: endpoints.report(),
      disagreements: this.#synchronizer.newest.crossCheck.disagreements,
      storeFailures: records.failures,
      kernel: engine.kernel.name,
    }
  }

  /**
   * Ends the worker. What is under way rejects with `DisposedError`, as does each later call but `report`. What was verified is written to
   * the storage first, which may take three seconds. It can be called more than once.
   *
   * @example
   * ```ts
   * import { LightClient, type LightClientOptions } from 'blobcheck/light-client'
   *
   * export async function finalizedRoot(options: LightClientOptions): Promise<string> {
   *   const client = await LightClient.fromCheckpoint(options)
   *   try {
   *     return (await client.sync()).finalized.root
   *   } finally {
   *     await client.dispose()
   *   }
   * }
   * ```
   */
  async dispose(): Promise<void> {
    this.#end.abort(new DisposedError())
    try {
      // A synchronisation that is aborted writes down how far it came.
      await this.#context.records.settle(this.#turn)
    } finally {
      this.#context.engine.dispose()
    }
  }

  /** One synchronisation after the other: each begins where the last one ended. */
  async #exclusively(
    signal: PlatformSignal | undefined,
    task: (either: AbortSignal) => Promise<void>,
  ): Promise<void> {
    this.#refuseIfDisposed()
    const { either, release } = this.#joined(signal)
    const turn = this.#turn.then(() => {
      either.throwIfAborted()
      return task(either)
    })
    this.#turn = turn.catch(() => {})
    const ended = new Promise<never>((_, reject) => {
      if (either.aborted) reject(either.reason as Error)
      either.addEventListener('abort', () => reject(either.reason as Error), { once: true })
    })
    try {
      await Promise.race([turn, ended])
    } catch (error) {
      throw this.#told(error, signal)
    } finally {
      release()
    }
  }

  /** A signal that is aborted with the caller's, or by `dispose`. */
  #joined(signal: PlatformSignal | undefined): {
    readonly either: AbortSignal
    readonly release: () => void
  } {
    refuseNonSignal(signal)
    return joinSignals([this.#end.signal, signal])
  }

  /** What a caller is told: of its own abort by its signal's reason, of ours as `DisposedError`. */
  #told(error: unknown, signal: PlatformSignal | undefined): unknown {
    if (this.#end.signal.aborted) return new DisposedError()
    return signal?.aborted ? signal.reason : error
  }

  #refuseIfDisposed(): void {
    if (this.#end.signal.aborted) throw new DisposedError()
  }
}
