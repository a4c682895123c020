/** When the fast kernel is given up: for a wrong answer, and for nothing else. */
import { expect, it } from 'vitest'
import { Engine } from '../../dist/light-client/engine.js'
import type { LightClientApi, Step, Stepped, StepOptions } from '../../dist/light-client/worker/protocol.js'
import type { Pool } from '../../dist/runtime/pool/pool.js'

const step: Step = { kind: 'view', store: new Uint8Array() }
const taken: Stepped = {
  ...{ store: null, view: null, accepted: [], leading: [], update: null, failure: null },
}
const ahead: Stepped = { ...taken, failure: { kind: 'ahead', detail: 'signature-in-future' } }

/** An engine whose clock goes on while the baseline is compiled; how it takes a step is for `take` to say. */
function engineOf(take: (terms: StepOptions) => Stepped): { engine: Engine; replaced: unknown[] } {
  const replaced: unknown[] = []
  const pool = {
    attemptTwice: (task: (api: LightClientApi) => unknown) =>
      task({ step: (_: Step, terms: StepOptions) => take(terms) } as LightClientApi),
    onUnsound: async () => {},
    replaceKernel: (kernel: unknown) => void replaced.push(kernel),
  } as unknown as Pool<LightClientApi>
  let slot = 100
  const compile = async (): Promise<WebAssembly.Module> => (slot++, {} as WebAssembly.Module)
  const kernel = { name: 'relaxed-simd', reason: 'asked for' } as const
  return { engine: new Engine(pool, kernel, new BigUint64Array(), () => slot, compile), replaced }
}

it('a slot that begins before a refusal is confirmed does not convict the fast kernel', async () => {
  const { engine, replaced } = engineOf(({ currentSlot }) => (currentSlot < 101 ? ahead : taken))
  expect(await engine.step(step)).toEqual(ahead)
  expect([engine.kernel.name, replaced]).toEqual(['relaxed-simd', []])
  expect(await engine.step(step)).toEqual(taken)
})

it('a refusal that the baseline does not confirm does', async () => {
  const { engine, replaced } = engineOf(({ baseline }) => (baseline === null ? ahead : taken))
  expect(await engine.step(step)).toEqual(taken)
  expect(engine.kernel.name).toBe('simd128')
  expect(replaced).toHaveLength(1)
})
