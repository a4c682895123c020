/** A worker's tasks in this thread, and units for them. */
import { compileKernel } from '../../dist/runtime/kernel/module.js'
import { verifierFiles } from '../../dist/verifier/worker/files.js'
import * as tasks from '../../dist/verifier/worker/tasks.js'
import type { CheckRequest, HashedUnit, UncheckedItem } from '../../ts/src/verifier/checks/protocol.ts'
import type { VerifierApi } from '../../ts/src/verifier/worker/protocol.ts'
import type * as taskSources from '../../ts/src/verifier/worker/tasks.ts'

// The declarations of the package leave out what is internal.
export const { createTasks } = tasks as unknown as typeof taskSources
export type { VerifierApi }

let compiled: Promise<WebAssembly.Module> | undefined

/** The baseline of the verifier's module. */
export const verifierModule = (): Promise<WebAssembly.Module> =>
  (compiled ??= compileKernel('simd128', {}, verifierFiles))

/** A worker that has been set up with the baseline. */
export async function startTasks(survive: 'die' | 'revive' = 'die'): Promise<VerifierApi> {
  const tasks = createTasks(survive)
  await tasks.setUp({ kernel: 'simd128', module: await verifierModule() })
  return tasks
}

/** A request to check items of a kind, which no anchor holds to anything. */
export function requestOf(
  kind: UncheckedItem['kind'],
  items: readonly unknown[],
  more: Partial<CheckRequest> = {},
): CheckRequest {
  return {
    items: items.map((item, at) => ({ kind, at, item: item as never })),
    ...{ buffer: null, taken: [], unitBuffer: new ArrayBuffer(0), anchor: { kind: 'none' } },
    ...{ count: items.length, network: new BigUint64Array(), fork: 2, wantsHeaders: false },
    ...more,
  }
}

/** The units that the checks make of items, each with its hash behind it. */
export async function unitsOf(
  tasks: VerifierApi,
  kind: 'blob' | 'cell',
  items: readonly unknown[],
): Promise<HashedUnit[]> {
  const { checked } = await tasks.check(requestOf(kind, items))
  return checked.map((entry) => {
    if (!('unit' in entry)) throw new Error('the checks have refused it')
    return entry.unit.bytes
  })
}
