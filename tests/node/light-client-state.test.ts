/** What a light client takes over: never what is older than where it is. */
import { describe, expect, it } from 'vitest'
import { ChainState } from '../../dist/light-client/state.js'
import { VouchedHeaders } from '../../dist/light-client/trusted-header.js'
import type { Stepped } from '../../dist/light-client/worker/protocol.js'
import type { HeaderView, StoreView } from '../../dist/light-client/worker/views.js'

const header = (slot: number, mark = slot): HeaderView => ({
  ...{ ssz: new Uint8Array(112).fill(mark), root: new Uint8Array(32).fill(mark) },
  ...{ slot, execution: null, parentExecutionBlockHash: null },
})
const view = (finalized: HeaderView, optimistic: HeaderView): StoreView => ({
  ...{ finalized, optimistic, finalizedPeriod: 0, optimisticPeriod: 0 },
  ...{ nextCommitteeKnown: true, best: null, committeeSize: 512 },
})
const stepped = (finalized: HeaderView, optimistic: HeaderView): Stepped => ({
  ...{ store: Uint8Array.of(finalized.slot), view: view(finalized, optimistic) },
  ...{ accepted: [], leading: [], update: null, failure: null },
})
const stateAt = (
  finalized: HeaderView,
  optimistic: HeaderView,
  { checkpoint = '0x', onTrust = false } = {},
): ChainState => {
  const vouched = new VouchedHeaders(new Uint8Array(32))
  return new ChainState(vouched, checkpoint, Uint8Array.of(0), view(finalized, optimistic), onTrust)
}

describe('the state of a light client', () => {
  it('does not go back to an older finalized header, forced or not', () => {
    const state = stateAt(header(10), header(12))
    const { finalized, optimistic, store } = state
    state.adopt(stepped(header(9), header(13)))
    state.adoptForced(stepped(header(9), header(13)))
    expect([state.finalized, state.optimistic, state.store]).toEqual([finalized, optimistic, store])
    expect(state.finalized).toBe(finalized)
    expect(state.forcedUpdates).toBe(0)
    state.adopt(stepped(header(11), header(13)))
    expect([state.finalized.slot, state.optimistic.slot]).toEqual([11, 13])
  })

  it('never shows the newest header of a forced step as its own, then or later', () => {
    const state = stateAt(header(10), header(12))
    state.adoptForced(stepped(header(14), header(16, 99)))
    expect(state.finalized).toMatchObject({ slot: 14, finalized: false })
    expect(state.optimistic).toBe(state.finalized)
    state.adopt(stepped(header(14), header(16, 99))) // a step that changed nothing
    expect(state.optimistic).toBe(state.finalized)
    state.adopt(stepped(header(14), header(17)))
    const links = { header: 'trusted', 'sync-committee': 'verified', checkpoint: 'trusted' }
    expect(state.optimistic).toMatchObject({ slot: 17, finalized: false, links })
  })

  it('keeps the newest header that two thirds signed beside a forced one', () => {
    const state = stateAt(header(10), header(20))
    const { optimistic } = state
    state.adoptForced(stepped(header(14), header(20)))
    expect(state.optimistic).toBe(optimistic)
  })

  it('knows the checkpoint by its root, and what a store says beside it on trust alone', () => {
    const checkpoint = `0x${'0a'.repeat(32)}`
    const [at, later] = [header(10), header(12)]
    const verified = { header: 'verified', 'sync-committee': 'absent', checkpoint: 'verified' }
    const trusted = { header: 'trusted', 'sync-committee': 'trusted', checkpoint: 'trusted' }
    expect(stateAt(at, later, { checkpoint }).finalized.links).toEqual(verified)
    const believed = stateAt(at, later, { checkpoint, onTrust: true })
    expect(believed.finalized.links).toEqual(trusted)
    believed.beginAnew(stateAt(at, later, { checkpoint }))
    expect(believed.finalized.links).toEqual(verified)
  })
})
