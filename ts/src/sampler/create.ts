/** From options to a sampler. */
import { platformFetch } from '../beacon/request.ts'
import { optionsOf, reading, refuseUnknown } from '../util/options.ts'
import { refuseNonSignal } from '../util/signals.ts'
import { notify, refuseNonListener } from '../util/notify.ts'
import type { SamplerParts } from './context.ts'
import {
  DEFAULT_ALLOW_MISSING,
  DEFAULT_TARGET,
  type Plan,
  planOf,
  type RandomBytes,
  secureBytes,
} from './plan.ts'
import { readFiles } from '../block-data/files.ts'
import { refuseNonBlock } from '../block-data/header.ts'
import { readMs } from '../block-data/options.ts'
import { readParts } from '../block-data/read-parts.ts'
import type { FollowSlotsOptions, SampleOptions, Sampler, SamplerOptions } from './options.ts'
import { followSlots } from './follow.ts'
import { sampleBlock } from './sample.ts'
import { counting } from './progress.ts'

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
  const { allowMissing, deadline, parts, plan } = reading(() => readOptions(options, random))
  return {
    plan: { columns: plan.sizes[0] ?? 0, maxError: plan.errors[0] ?? 1 },
    async sampleBlock(id, call: SampleOptions = {}) {
      const { onProgress, signal, ...wanted } = reading(() => {
        const { deadlineMs, onProgress, reconstruct, signal, target, ...unknown } = optionsOf(call)
        refuseUnknown(unknown)
        refuseNonSignal(signal)
        refuseNonBlock(id)
        refuseNonListener(onProgress, 'onProgress')
        return {
          ...{ onProgress, signal },
          deadlineMs: deadlineMs === undefined ? deadline : readMs(deadlineMs, 'deadlineMs'),
          plan: target === undefined ? plan : planOf(target, allowMissing),
          reconstruct: reconstruct === true,
        }
      })
      signal?.throwIfAborted()
      try {
        return await sampleBlock(parts, {
          ...{ id, ...wanted, signal },
          notify: counting((progress) => notify(onProgress, progress, signal)),
        })
      } catch (error) {
        throw signal?.aborted ? signal.reason : error
      }
    },
    follow: (call: FollowSlotsOptions = {}) => followSlots(parts, plan, call),
  }
}

/** What a sampler is made of. Each option is read once. */
function readOptions(
  options: SamplerOptions,
  random: RandomBytes,
): {
  readonly parts: SamplerParts
  readonly plan: Plan
  readonly allowMissing: number
  readonly deadline: number
} {
  const {
    beacon,
    headers,
    verifier,
    now = Date.now,
    target = DEFAULT_TARGET,
    allowMissing = DEFAULT_ALLOW_MISSING,
    fallbacks = {},
    deadlineMs = DEADLINE_MS,
    timeoutMs = TIMEOUT_MS,
    requestsPerEndpoint = 2,
    fetch = platformFetch,
    ...unknown
  } = optionsOf(options)
  refuseUnknown(unknown)
  const read = readParts({ verifier, headers, beacon, now, fetch, timeoutMs, requestsPerEndpoint })
  const { archives, blobs, files, ...others } = optionsOf(fallbacks, 'fallbacks')
  refuseUnknown(others, 'fallbacks')
  const plan = planOf(target, allowMissing)
  const deadline = readMs(deadlineMs, 'deadlineMs')
  const parts: SamplerParts = {
    ...read.parts,
    random,
    fallbacks: {
      blobs: blobs === true,
      archives: read.archivesOf(archives, 'fallbacks.archives'),
      files: readFiles(files ?? [], 'fallbacks.files'),
    },
  }
  return { parts, plan, allowMissing, deadline }
}
