/** What a worker does, as plain functions over WASM instances; also what runs in the calling thread with `workers: 0`. */
import { transfer } from 'comlink'
import { pack } from '../bytes/concat.ts'
import type { Portable } from '../bytes/portable.ts'
import { check } from '../checks/check.ts'
import { parseAnswer } from '../checks/parse-answer.ts'
import { type Core, instantiate, isTrap, revive } from '../wasm/core.ts'
import { freshSeed } from '../wasm/seed.ts'
import type { Checked } from '../checks/delivery.ts'
import type { KzgOutcome } from '../verdict/refusal.ts'
import { holdLock } from './hold-lock.ts'
import type { WorkerApi } from './protocol.ts'

/** `survive`: what to do about an instance that trapped. A worker thread is replaced; the calling thread revives it. */
export function createTasks(survive: 'die' | 'revive'): WorkerApi {
  let core: Core | undefined

  /** Runs a task on the instance. A trap leaves its memory in an unknown state. */
  function guard<T>(task: (core: Core) => T, on: Core | undefined = core): T {
    if (on === undefined) throw new Error('the worker has not been set up')
    try {
      return task(on)
    } catch (error) {
      if (isTrap(error) && survive === 'revive') revive(on)
      throw error
    }
  }

  const outcomes = (on: Core, units: readonly Uint8Array[], seed: Uint8Array): KzgOutcome[] => {
    const { bytes, lengths } = pack(units)
    return Array.from(on.exports.verifyUnits(bytes, lengths, seed), (code) => on.refusal(code) ?? 'valid')
  }

  return {
    async setUp({ kernel, module, lifeline }) {
      if (lifeline !== null) await holdLock(lifeline)
      core = instantiate(kernel, module)
      return core.exports.fused()
    },

    ping: () => {},

    parse: (kind, text) => transferBytes(parseAnswer(kind, text)),

    check: (request) => guard((core) => transferUnits(check(core, request))),

    collect: (units, seed) =>
      guard((core) => {
        const { bytes, lengths } = pack(units)
        const answer = core.exports.collect(bytes, lengths, seed)
        const refusals = Array.from(answer.subarray(0, units.length), (code) => core.refusal(code))
        return { refusals, accumulator: new Uint8Array(answer.subarray(units.length)) }
      }),

    close: (accumulators) => guard((core) => core.exports.close(pack(accumulators).bytes)),

    verify: (units, seed) => guard((core) => outcomes(core, units, seed)),

    async confirm(units, baseline) {
      const trusted = instantiate('simd128', baseline)
      return guard((core) => units.flatMap((unit) => outcomes(core, [unit], freshSeed())), trusted)
    },

    warmUp: () => guard((core) => core.exports.warm()),
  }
}

/** Moves the units out rather than copying them. */
function transferUnits(checked: Checked[]): Checked[] {
  const buffers: ArrayBuffer[] = []
  const visit = (entry: Checked): void => {
    if ('unit' in entry) buffers.push(entry.unit.bytes.buffer)
    else if ('blobs' in entry) entry.blobs.forEach(visit)
  }
  checked.forEach(visit)
  return transfer(checked, buffers)
}

function transferBytes(items: Portable[]): Portable[] {
  return transfer(
    items,
    items.flatMap((item) => (item instanceof Uint8Array ? [item.buffer] : [])),
  )
}
