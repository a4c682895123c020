/** From options to a light client that stands on its checkpoint. */
import { loadTasks, spawnWorker } from '#light-client-worker'
import { decodeHex, encodeHex } from '../util/hex.ts'
import { refuseNonListener } from '../util/notify.ts'
import { optionsOf, reading, readNow, refuseNonBoolean, refuseUnknown } from '../util/options.ts'
import { readUrl } from '../util/url.ts'
import { abortable, joinSignals, refuseNonSignal } from '../util/signals.ts'
import { lightClientWords } from '../beacon/light-client-words.ts'
import { resolveNetwork } from '../beacon/vetted-network.ts'
import { startPool } from '../runtime/pool/start.ts'
import { refuseUnknownKernel } from '../runtime/kernel/kernel.ts'
import { bringsOnlyBaseline, compileKernel, readSources } from '../runtime/kernel/module.ts'
import { BeaconEndpoints } from '../beacon/endpoints.ts'
import { BeaconFailure } from '../beacon/failure.ts'
import { readBytes } from '../beacon/header.ts'
import { platformFetch } from '../beacon/request.ts'
import { routes } from '../beacon/routes.ts'
import { readUrls } from '../beacon/endpoints.ts'
import { Clock } from './clock.ts'
import { suspect } from './errors.ts'
import { namingTheFork } from './unsupported-fork.ts'
import type { LightClientObject } from './worker/decode.ts'
import { Engine } from './engine.ts'
import { ForceUpdate } from './force-update.ts'
import type { LightClientOptions } from './options.ts'
import { ChainState } from './state.ts'
import { RecordStore, openStorage } from './store/record-store.ts'
import type { LightClientRecord } from './store/record-store.ts'
import { type AgeLimit, isStale, refuseStale } from './clock.ts'
import type { LightClientContext, VerifiedRestart } from './context.ts'
import { VouchedHeaders } from './trusted-header.ts'
import { MAX_TIMER_MS } from '../util/timers.ts'
import { lightClientFiles } from './worker/files.ts'
import type { Stepped } from './worker/protocol.ts'

/** The most updates that the module takes at once. */
const MAX_STEP = 128

/**
 * A light client's parts, standing on its checkpoint. Each option is read once, before anything is begun; throws `TypeError` for what makes
 * no sense in them, and for what cannot be read.
 */
export async function start(
  options: LightClientOptions,
): Promise<{ context: LightClientContext; checkpoint: string }> {
  const given = reading(() => readOptions(options))
  const { network, words, root, urls, storage, signal, timeoutMs, fetch, now } = given
  signal?.throwIfAborted()

  const clock = new Clock(network, now)
  const endpoints = new BeaconEndpoints(urls, {
    ...{ fetch, now, random: Math.random },
    timeoutMs: Math.min(timeoutMs, MAX_TIMER_MS),
  })
  // `lightClientWords` has refused a network without it.
  const genesisValidatorsRoot = decodeHex(network.signing?.genesisValidatorsRoot ?? '') ?? new Uint8Array(32)
  const records = new RecordStore(storage, { genesisValidatorsRoot, checkpoint: root })
  const vouched = new VouchedHeaders(genesisValidatorsRoot)
  // Of its own: `fetch` listens to it, and many starts may share the caller's.
  const { either, release } = joinSignals([signal])
  const starting = startEngine(given.engine, words, clock, either).finally(release)
  // An engine that comes after the abort is nobody's.
  const dispose = (): void => void starting.then((late) => late.dispose(), ignore)
  const engine = await abortable(signal, () => starting, dispose)
  try {
    signal?.throwIfAborted()
    const { ageLimit, trustCache } = given
    const { state, restart } = await enter({
      ...{ engine, endpoints, records, vouched, root, signal },
      ...{ clock, ageLimit, trustCache },
    })
    signal?.throwIfAborted()
    const forceUpdate = given.isForced ? new ForceUpdate(engine, state) : null
    return {
      context: { state, restart, vouched, engine, endpoints, records, clock, forceUpdate, ageLimit, now },
      checkpoint: hexOf(root),
    }
  } catch (error) {
    engine.dispose()
    // An object of another preset is of another length. What is no object of a light client at all says nothing of the checkpoint.
    suspect(
      error,
      ({ kind, detail }) => kind === 'not-found' || kind === 'invalid' || detail.startsWith('object-'),
      `is the checkpoint a finalized block root of this network${given.name}?`,
    )
    throw signal?.aborted ? signal.reason : namingTheFork(error, clock)
  }
}

const ignore = (): void => {}

/** What a light client is started with. */
type StartOptions = ReturnType<typeof readOptions>

function readOptions(options: LightClientOptions) {
  const {
    beacon,
    checkpoint,
    network: of,
    signal,
    timeoutMs = 10_000,
    now = Date.now,
    weakSubjectivityEpochs,
    allowStale,
    trustCache,
    forceUpdate,
    wasm,
    worker = 'auto',
    workerUrl,
    onWarning,
    store = 'auto',
    verifier,
    kernel = verifier?.kernel,
    fetch = platformFetch,
    ...unknown
  } = optionsOf(options)
  refuseUnknown(unknown)
  const network = resolveNetwork(of)
  const words = lightClientWords(network)
  const root = readRoot(checkpoint)
  const urls = readUrls(beacon)
  const storage = openStorage(store)
  refuseNonSignal(signal)
  refuseNonListener(onWarning, 'onWarning')
  refuseNonBoolean(allowStale, 'allowStale')
  refuseNonBoolean(trustCache, 'trustCache')
  refuseNonBoolean(forceUpdate, 'forceUpdate')
  if (typeof timeoutMs !== 'number' || !(timeoutMs > 0)) throw new TypeError('timeoutMs must be positive')
  if (worker !== 'auto' && typeof worker !== 'boolean')
    throw new TypeError("worker must be 'auto' or a boolean")
  refuseUnknownKernel(kernel)
  return {
    /** Behind “this network”. */
    name: typeof of === 'object' ? ', and its config right' : `, ${of ?? 'mainnet'}`,
    ...{ network, words, root, urls, storage, signal, timeoutMs, fetch },
    now: readNow(now),
    ageLimit: readAgeLimit(allowStale, weakSubjectivityEpochs),
    trustCache: trustCache === true,
    isForced: forceUpdate === true,
    engine: { kernel, sources: readSources(wasm), worker, url: readUrl(workerUrl, 'workerUrl'), onWarning },
  }
}

function readAgeLimit(allowStale: boolean | undefined, epochs: number | undefined): AgeLimit {
  if (epochs !== undefined && (!Number.isSafeInteger(epochs) || epochs < 1))
    throw new TypeError('weakSubjectivityEpochs must be a positive integer')
  return allowStale === true ? Infinity : (epochs ?? 'weak-subjectivity-period')
}

interface StartContext {
  readonly engine: Engine
  readonly endpoints: BeaconEndpoints
  readonly records: RecordStore
  readonly vouched: VouchedHeaders
  readonly root: Uint8Array
  readonly trustCache: boolean
  readonly clock: Clock
  readonly ageLimit: AgeLimit
  readonly signal: AbortSignal | undefined
}

/** What leads from the checkpoint to where a light client is. */
type Way = Pick<LightClientRecord, 'bootstrap' | 'updates'>

/** On what was kept, if it still stands, or on the checkpoint's bootstrap. */
async function enter(
  context: StartContext,
): Promise<{ readonly state: ChainState; readonly restart: VerifiedRestart | null }> {
  const { records, signal, trustCache } = context
  const record = await records.load(signal)
  const believed = record !== null && trustCache ? await onTrust(context, record) : null
  if (believed === null) return { state: await fromCheckpoint(context, record), restart: null }
  const restart: VerifiedRestart = (draft, until) =>
    fromCheckpoint({ ...context, records: draft, signal: until }, records.way)
  return { state: believed, restart }
}

/**
 * On what was kept, as far as it can be verified again, or on the checkpoint's bootstrap. Throws `StaleCheckpointError` before anything is
 * kept: a client that stands on what it believed goes on from there.
 */
async function fromCheckpoint(context: StartContext, record: Way | null): Promise<ChainState> {
  const { clock, engine, endpoints, ageLimit, records, root, signal, vouched } = context
  const begun = record === null ? null : await verifiedAgain(context, record)
  if (begun !== null) return begun
  const { state, bootstrap } = await endpoints.first(
    routes.bootstrap(hexOf(root)),
    async (answer) => {
      const stepped = await engine.step({ kind: 'bootstrap', root, source: { answer } })
      const { accepted, failure } = stepped
      if (failure !== null) throw new BeaconFailure(failure.kind, failure.detail)
      const state = stateOf(vouched, root, stepped, false)
      const [bootstrap] = accepted
      if (state === null || bootstrap === undefined) throw new BeaconFailure('malformed', 'no bootstrap')
      return { state, bootstrap }
    },
    signal,
  )
  refuseStale(state.view.finalized.slot, clock, ageLimit)
  records.begin(bootstrap, [])
  records.save(state.store)
  return state
}

/**
 * The store of a record, on trust: it need only be one, of a time that can be. It is as fresh as it says; null where that is too
 * old, or still to come: nothing would ever lead on from there.
 */
async function onTrust(
  { clock, engine, records, ageLimit, root, vouched }: StartContext,
  record: LightClientRecord,
): Promise<ChainState | null> {
  const { failure, view, ...stepped } = await engine.step({ kind: 'view', store: record.store })
  if (failure !== null || view === null) return null
  const newest = Math.max(view.finalized.slot, view.optimistic.slot)
  if (newest > clock.slot || isStale(view.finalized.slot, clock, ageLimit)) return null
  records.begin(record.bootstrap, record.updates)
  return stateOf(vouched, root, { ...stepped, view }, true)
}

/**
 * All that was kept, from the checkpoint on; as far as it is true. It is as fresh as the checkpoint: whoever could write
 * the record could have had it signed by a committee of long ago.
 */
async function verifiedAgain(
  { clock, engine, ageLimit, records, root, vouched }: StartContext,
  { bootstrap, updates }: Way,
): Promise<ChainState | null> {
  let stepped = await engine.step({ kind: 'bootstrap', root, source: { objects: [bootstrap] } })
  if (stepped.failure !== null || stepped.view === null) return null
  refuseStale(stepped.view.finalized.slot, clock, ageLimit)
  const state = stateOf(vouched, root, stepped, false)
  let count = 0
  const leading: LightClientObject[] = []
  while (count < updates.length && stepped.failure === null && stepped.store !== null) {
    const objects = updates.slice(count, count + MAX_STEP)
    stepped = await engine.step({
      kind: 'updates',
      store: stepped.store,
      source: { objects },
      maxCount: MAX_STEP,
      quorum: 'two-thirds',
    })
    count += stepped.accepted.length
    leading.push(...stepped.leading)
  }
  if (stepped.store === null) return null
  records.begin(bootstrap, leading)
  state?.adopt(stepped)
  return state
}

function stateOf(
  vouched: VouchedHeaders,
  root: Uint8Array,
  { store, view }: Pick<Stepped, 'store' | 'view'>,
  isOnTrust: boolean,
): ChainState | null {
  if (store === null || view === null) return null
  return new ChainState(vouched, hexOf(root), store, view, isOnTrust)
}

const hexOf = (bytes: Uint8Array): string => `0x${encodeHex(bytes)}`

async function startEngine(
  { kernel: wanted, sources, worker, url, onWarning }: StartOptions['engine'],
  words: BigUint64Array<ArrayBuffer>,
  clock: Clock,
  signal: AbortSignal,
): Promise<Engine> {
  const { pool, kernel } = await startPool({
    host: {
      part: 'blobcheck/light-client',
      spawn: () => spawnWorker(url),
      inline: loadTasks,
    },
    workers: worker === false ? 0 : 1,
    orInline: worker === 'auto',
    none: 'worker: false',
    kernel: wanted,
    compile: async (name) => {
      // A module whose request was called off needs no other one in its place.
      signal.throwIfAborted()
      return await compileKernel(name, sources, lightClientFiles, { signal })
    },
    onlyBaseline: bringsOnlyBaseline(sources),
    onWarning,
  })
  return new Engine(
    pool,
    kernel,
    words,
    () => clock.slot,
    () => compileKernel('simd128', sources, lightClientFiles),
  )
}

function readRoot(checkpoint: unknown): Uint8Array {
  return new Uint8Array(readBytes(checkpoint, 32, "checkpoint, a block's root,"))
}
