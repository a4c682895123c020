/** What the controls of the Simulated tab make of its node: the faults that `blobcheck/serve` takes. */
import type { Fault } from 'blobcheck/serve'
import { describe, expect, it } from 'vitest'
import {
  type Delivery,
  type FaultSettings,
  type Lie,
  nodeFaults,
} from '../../../web-demo/src/panels/simulated/settings.ts'

const none: FaultSettings = {
  ...{ withheld: 0, delayMs: 0, lie: 'none', delivery: 'whole' },
  ...{ answers: 'data', probability: 1, payloadsWithheld: false },
}
const data = ['data_column_sidecars', 'blob_sidecars', 'blobs', 'blocks']

describe('the faults of a simulated node', () => {
  it('are none where nothing is set', () => {
    expect(nodeFaults(none)).toEqual({ rules: [], forgery: null, payloadsWithheld: false })
  })

  it.each<[Exclude<Delivery, 'whole'>, Fault]>([
    ['truncate', { kind: 'truncate', at: 0.5 }],
    ['drip', { kind: 'drip', bytes: 512, everyMs: 500 }],
    ['oversized', { kind: 'oversized', bytes: 16 * 2 ** 20 }],
    ['content-type', { kind: 'content-type', value: 'text/html' }],
    ['redirect', { kind: 'redirect', to: '/elsewhere' }],
    ['status', { kind: 'status', code: 503, retryAfterSeconds: 1 }],
    ['rate-limit', { kind: 'rate-limit', perSecond: 1 }],
  ])('have answers with data come as %s says', (delivery, fault) => {
    expect(nodeFaults({ ...none, delivery }).rules).toEqual([{ fault, routes: data }])
  })

  it.each<[Lie, Fault]>([
    ...(['cell', 'proof', 'index', 'header', 'commitment', 'branch'] as const).map((part): [Lie, Fault] => [
      part,
      { kind: 'corrupt', part },
    ]),
    ['hide-blobs', { kind: 'hide-blobs' }],
  ])('have what is said of %s be false', (lie, fault) => {
    expect(nodeFaults({ ...none, lie })).toEqual({
      rules: [{ fault }],
      forgery: null,
      payloadsWithheld: false,
    })
  })

  it.each(['signature', 'committee'] as const)('have no rule for a false signature of the %s', (lie) => {
    expect(nodeFaults({ ...none, lie })).toEqual({ rules: [], forgery: lie, payloadsWithheld: false })
  })

  it('come together, as often as is set, and late answers may be all of them', () => {
    const settings: FaultSettings = {
      ...{ withheld: 64, delayMs: 250, lie: 'cell', delivery: 'status' },
      ...{ answers: 'all', probability: 0.5, payloadsWithheld: true },
    }
    expect(nodeFaults(settings)).toEqual({
      rules: [
        { fault: { kind: 'withhold', columns: 64 }, probability: 0.5 },
        { fault: { kind: 'corrupt', part: 'cell' }, probability: 0.5 },
        { fault: { kind: 'delay', ms: 250 }, probability: 0.5 },
        { fault: { kind: 'status', code: 503, retryAfterSeconds: 1 }, probability: 0.5 },
      ],
      ...{ forgery: null, payloadsWithheld: true },
    })
  })

  it('are late with data alone where no more is set', () => {
    expect(nodeFaults({ ...none, delayMs: 12_000 }).rules).toEqual([
      { fault: { kind: 'delay', ms: 12_000 }, routes: data },
    ])
  })
})
