/** From options to a sampler. */
import type { EndpointOptions } from '../beacon/endpoint.ts'
import { BeaconEndpoints } from '../beacon/endpoints.ts'
import { readUrls } from '../beacon/endpoints.ts'
import { refuseNonSignal } from '../util/signals.ts'
import { notify, refuseNonListener } from '../util/notify.ts'
import { internalsOf } from '../verifier/pipeline.ts'
import type { SamplerParts } from './context.ts'
import { DEFAULT_ALLOW_MISSING, DEFAULT_TARGET, planOf, type RandomBytes, secureBytes } from './plan.ts'
import { DataSchedule } from './schedule.ts'
import { readFiles } from './whole/files.ts'
import { refuseNonBlock } from './header.ts'
import {
  type FollowSlotsOptions,
  readCount,
  readMs,
  type SampleOptions,
  type Sampler,
  type SamplerOptions,
} from './options.ts'
import { followSlots } from './follow.ts'
import { sampleBlock } from './sample.ts'

const TIMEOUT_MS = 10_000
const DEADLINE_MS = 30_000

/**
 * Creates a sampler over a verifier, a source of headers, and Beacon API endpoints. It starts no threads of its own and holds
 * nothing that would have to be released. Throws `TypeError` for options that make no sense.
 *
 * @example
 * ```ts
 * import { createSampler } from 'blobcheck/sampler'
 *
 * const sampler = createSampler({ verifier, headers: client, beacon: ['https://a.example', 'https://b.example'] })
 * const { verdict, confidence } = await sampler.sampleBlock('head')
 * console.log(verdict, confidence.bits, confidence.assumption)
 * ```
 */
export function createSampler(options: SamplerOptions): Sampler {
  return samplerOf(options, secureBytes)
}

/** Creates a sampler whose columns are drawn with other randomness: for tests alone, since what is not drawn at random proves nothing. */
export function samplerOf(options: SamplerOptions, random: RandomBytes): Sampler {
  if (typeof options !== 'object' || options === null) throw new TypeError('options must be an object')
  const { headers, target = DEFAULT_TARGET, allowMissing = DEFAULT_ALLOW_MISSING, now = Date.now } = options
  const { network, pool } = internalsOf(options.verifier)
  if (typeof headers !== 'object' || headers === null || !('resolve' in headers || 'headerAt' in headers))
    throw new TypeError('headers must be a LightClient or a HeaderSource')
  if (typeof now !== 'function') throw new TypeError('now must be a function')
  const plan = planOf(target, allowMissing)
  const deadline = readMs(options.deadlineMs ?? DEADLINE_MS, 'deadlineMs')
  const terms: EndpointOptions = {
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
    now,
    random: Math.random,
    timeoutMs: readMs(options.timeoutMs ?? TIMEOUT_MS, 'timeoutMs'),
    atOnce: readCount(options.requestsPerEndpoint ?? 2, 'requestsPerEndpoint'),
  }
  const fallbacks = options.fallbacks ?? {}
  if (typeof fallbacks !== 'object') throw new TypeError('fallbacks must be an object')
  const beacon = readUrls(options.beacon)
  const archives =
    fallbacks.archives === undefined
      ? null
      : new BeaconEndpoints(readUrls(fallbacks.archives, 'fallbacks.archives'), terms, beacon)
  const parts: SamplerParts = {
    verifier: options.verifier,
    ...{ pool, network },
    headers,
    endpoints: new BeaconEndpoints(beacon, terms),
    schedule: new DataSchedule(network),
    now,
    random,
    fallbacks: { blobs: fallbacks.blobs === true, archives, files: readFiles(fallbacks.files ?? []) },
  }

  return {
    plan: { columns: plan.sizes[0] ?? 0, maxError: plan.errors[0] ?? 1 },
    async sampleBlock(id, call: SampleOptions = {}) {
      if (typeof call !== 'object' || call === null) throw new TypeError('options must be an object')
      const { signal, onProgress } = call
      refuseNonSignal(signal)
      refuseNonBlock(id)
      refuseNonListener(onProgress, 'onProgress')
      const deadlineMs = call.deadlineMs === undefined ? deadline : readMs(call.deadlineMs, 'deadlineMs')
      const wanted = call.target === undefined ? plan : planOf(call.target, allowMissing)
      signal?.throwIfAborted()
      try {
        return await sampleBlock(parts, {
          ...{ id, plan: wanted, deadlineMs, signal },
          reconstruct: call.reconstruct === true,
          notify: (event) => notify(onProgress, event, signal),
        })
      } catch (error) {
        throw signal?.aborted ? signal.reason : error
      }
    },
    follow: (call: FollowSlotsOptions = {}) => followSlots(parts, plan, call),
  }
}
