/** What a worker does, as plain functions over WASM instances; also what runs in the calling thread with `workers: 0`. */
import { transfer } from '../../vendor/comlink.ts'
import { buffersOf, concatAll } from '../../util/bytes.ts'
import { pack } from '../../util/packed.ts'
import type { Portable } from '../../util/portable.ts'
import { has } from '../../util/has.ts'
import { check } from '../checks/check.ts'
import type { Core } from '../checks/core.ts'
import { parseAnswer } from '../checks/parse-answer.ts'
import { giveCommitmentSetup, isTrap } from '../../kzg/core.ts'
import { type Core as WholeCore, instantiate as instantiateWhole } from '../../kzg/module.ts'
import { freshSeed } from '../../runtime/platform/seed.ts'
import { type Checked, type CheckRequest, type HashedUnit, isBare } from '../checks/protocol.ts'
import type { KzgOutcome } from '../../verdict/verdict.ts'
import { holdLock } from '../../runtime/pool/hold-lock.ts'
import { instantiate, type VerifierCore } from './module.ts'
import type { CheckAnswer, Collected, Returned, VerifierApi } from './protocol.ts'
import { rehearse } from './rehearsal.ts'

type Units = InstanceType<Core['exports']['Units']>

/** `survive`: what to do about an instance that trapped. A worker thread is replaced; the calling thread revives it. */
export function createTasks(survive: 'die' | 'revive'): VerifierApi {
  let core: VerifierCore | undefined
  /** An instance of the module that blobs without proofs are verified with, and the points, of which it forgets its own in a trap. */
  let commitments: { readonly core: WholeCore; readonly points: Uint8Array } | undefined

  const guard = <T>(task: (core: VerifierCore) => T): T => guardOn(core, task)

  /** Runs a task on an instance. A trap leaves its memory in an unknown state. */
  function guardOn<C extends Core, T>(on: C | undefined, task: (core: C) => T): T {
    if (on === undefined) throw new Error('the worker has not been set up')
    const failed = (error: unknown): never => {
      if (isTrap(error) && survive === 'revive') on.revive()
      throw error
    }
    try {
      const answer = task(on)
      return answer instanceof Promise ? (answer.catch(failed) as T) : answer
    } catch (error) {
      return failed(error)
    }
  }

  /** Units in the instance's memory, for as long as a task works on them. `trusts`: whether their hashes are believed. */
  function withUnits<T>(
    on: Core,
    units: readonly HashedUnit[],
    trusts: boolean,
    task: (held: Units) => T,
  ): T {
    const held = new on.exports.Units(units.length, trusts)
    for (const unit of units) held.push(unit)
    const answer = task(held)
    // Not after a trap: the instance and all its memory are given up then.
    held.free()
    return answer
  }

  /** Runs a task on the instance for blobs without proofs, or another one of its module, which has the points. */
  const guardCommitments = <T>(task: (core: WholeCore) => T, on = commitments?.core): T =>
    guardOn(on, (core) => {
      readPoints(core, commitments?.points)
      return task(core)
    })

  const verifyWith = (on: Core, units: readonly HashedUnit[], trusts: boolean): KzgOutcome[] =>
    withUnits(on, units, trusts, (held) => outcomesOf(on, held.verify(freshSeed())))

  const verifyBareWith = (on: WholeCore, units: readonly HashedUnit[]): KzgOutcome[] =>
    withUnits(on, units, false, (held) => outcomesOf(on, on.exports.verifyBare(held, freshSeed())))

  /** A group's sums, as the module answers them behind a code for each unit. */
  function collected(
    on: Core,
    units: readonly HashedUnit[],
    collect: (held: Units) => Uint8Array,
    isTested: (sums: Uint8Array) => boolean,
  ): Collected & Returned {
    const answer = withUnits(on, units, true, collect)
    const refusals = Array.from(answer.subarray(0, units.length), (code) => on.refusal(code))
    const sums = new Uint8Array(answer.subarray(units.length))
    return giveBack(units, { refusals, sums, tested: isTested(sums) })
  }

  const tasks: Omit<VerifierApi, 'rehearse'> = {
    async setUp({ kernel, module }) {
      core = instantiate(kernel, module)
      return guard((core) => core.exports.fused())
    },

    hold: holdLock,

    ping: () => 'blobcheck',

    parse: (kind, text, maxItems) => transferBytes(parseAnswer(kind, text, maxItems)),

    check: (request) => guard(async (core) => returnBuffers(await check(core, request), request)),

    collect: (units, groups) =>
      areBare(units)
        ? guardCommitments((core) =>
            collected(
              core,
              units,
              (held) => core.exports.collectBare(held, freshSeed()),
              () => true,
            ),
          )
        : guard((core) =>
            collected(
              core,
              units,
              (held) => held.collect(freshSeed(), groups),
              (sums) => core.exports.isTested(sums),
            ),
          ),

    close: (sums, part, parts) =>
      guard((core) => {
        const { bytes, lengths } = pack(sums)
        return core.exports.close(bytes, lengths, part, parts)
      }),

    takeCommitmentKernel({ kernel, module, points }) {
      commitments = { core: instantiateWhole(kernel, module), points }
      return guardCommitments((core) => core.exports.fused())
    },

    commitPart: (sums, part, parts) =>
      guardCommitments((core) => {
        const { bytes, lengths } = pack(sums)
        return new Uint8Array(core.exports.commitPart(bytes, lengths, part, parts))
      }),

    closeBare: (sums, points) =>
      guardCommitments((core) => {
        const { bytes, lengths } = pack(sums)
        return core.exports.closeBare(bytes, lengths, concatAll(points))
      }),

    verify: (units) =>
      giveBack(units, {
        outcomes: areBare(units)
          ? guardCommitments((core) => verifyBareWith(core, units))
          : guard((core) => verifyWith(core, units, true)),
      }),

    async confirm(units, baseline) {
      if (areBare(units))
        return guardCommitments(
          (core) => units.flatMap((unit) => verifyBareWith(core, [unit])),
          instantiateWhole('simd128', baseline),
        )
      return guardOn(instantiate('simd128', baseline), (core) =>
        units.flatMap((unit) => verifyWith(core, [unit], false)),
      )
    },

    rebuild: (cellIndices, cells) => guard((core) => rebuildBlob(core, cellIndices, cells)),

    warmUp: () => guard((core) => core.exports.warm()),

    probe: () => guard((core) => core.exports.fused()),
  }
  const rehearsal = rehearse(tasks)
  return { ...tasks, rehearse: async () => (await rehearsal.next()).done === true }
}

const areBare = (units: readonly HashedUnit[]): boolean => isBare(units[0]?.[0])

/** Has an instance read the points of commitments, unless it has. Throws where they are not Ethereum's. */
function readPoints(core: WholeCore, points: Uint8Array | undefined): void {
  if (points === undefined || !giveCommitmentSetup(core.exports, points))
    throw new Error('these are not the points that commitments are computed with')
}

const outcomesOf = (core: Core, codes: Uint8Array): KzgOutcome[] =>
  Array.from(codes, (code) => core.refusal(code) ?? 'valid')

/** An answer that takes the units' memory home with it. */
function giveBack<T extends object>(units: readonly HashedUnit[], answer: T): T & Returned {
  const returned = buffersOf(units)
  return transfer({ ...answer, returned }, returned)
}

/** Moves the units out, and the memory that was lent back, rather than copying them. */
function returnBuffers(checked: Checked[], { buffer, taken, unitBuffer }: CheckRequest): CheckAnswer {
  const buffers = new Set<ArrayBuffer>()
  const visit = (entry: Checked): void => {
    if (has(entry, 'unit')) buffers.add(entry.unit.bytes.buffer)
    else if (has(entry, 'blobs')) entry.blobs.forEach(visit)
  }
  checked.forEach(visit)
  const spare = buffers.has(unitBuffer) ? null : unitBuffer
  for (const lent of [unitBuffer, ...taken]) buffers.add(lent)
  if (buffer !== null) buffers.add(buffer)
  return transfer({ checked, buffer, taken, unitBuffer: spare }, [...buffers])
}

function transferBytes(items: Portable[]): Portable[] {
  return transfer(
    items,
    items.flatMap((item) => (item instanceof Uint8Array ? [item.buffer] : [])),
  )
}

/**
 * A blob out of verified cells: the half of `recover_cells` (specs/fulu/polynomial-commitments-sampling.md) that is the blob. Takes 64
 * cells or more, 2,048 bytes each, in ascending order of their indices. Null where they are not cells of one blob: all of them must come
 * out again, those too that the others were rebuilt without.
 */
function rebuildBlob(
  core: VerifierCore,
  cellIndices: Uint32Array,
  cells: Uint8Array,
): Uint8Array<ArrayBuffer> | null {
  const blob = core.exports.rebuildBlob(cellIndices, cells) as Uint8Array<ArrayBuffer>
  return blob.length > 0 ? transfer(blob, [blob.buffer]) : null
}
