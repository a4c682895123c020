// A chain that never was, as another implementation's types have it: states, blocks, Merkle proofs, SSZ and JSON are
// @lodestar/types', signatures @noble/curves'. Nothing of blobcheck's takes part.
import './hasher.mjs'
import { createHash } from 'node:crypto'
import { Tree } from '@chainsafe/persistent-merkle-tree'
import { ssz } from '@lodestar/types'
import { committeeOf, sign } from './committee.mjs'

export const SLOTS_PER_PERIOD = 8192
const FIRST_PERIOD = 10
const FORKS = ['altair', 'bellatrix', 'capella', 'deneb', 'electra', 'fulu', 'gloas']
const genesisValidatorsRoot = new Uint8Array(32).fill(0x42)
const versionOf = (fork) => Uint8Array.of(FORKS.indexOf(fork) + 1, 0, 0, 0x99)
const hex = (bytes) => `0x${Buffer.from(bytes).toString('hex')}`

/**
 * Makes a chain from a checkpoint in period 10 to a head so many periods later.
 * `forkEpochs`: of Deneb, Electra, Fulu and Gloas, which else never comes; `commitments`: of the block that is finalized last; `depth`: slots before it whose
 * blocks are kept.
 */
export function makeChain({
  periods = 3,
  forkEpochs = {},
  commitments = [],
  secondsPerSlot = 12,
  depth = 21,
} = {}) {
  const early = { altair: 0, bellatrix: 0, capella: 0, deneb: 0, electra: 0, fulu: 0 }
  const epochs = { ...early, gloas: Infinity, ...forkEpochs }
  const blobSchedule = [{ epoch: epochs.fulu + 8, maxBlobsPerBlock: 12 }]
  const forkAt = (slot) => FORKS.findLast((fork) => Math.floor(slot / 32) >= epochs[fork])
  const typesAt = (slot) => ({ ...ssz[lightClientFork(forkAt(slot))], ...blockTypes(forkAt(slot)) })

  const last = FIRST_PERIOD + periods
  const checkpoint = block(
    FIRST_PERIOD * SLOTS_PER_PERIOD + 64,
    stateOf(FIRST_PERIOD * SLOTS_PER_PERIOD + 64),
  )
  const updates = []
  for (let period = FIRST_PERIOD; period <= last; period++)
    updates.push(fullUpdate(period * SLOTS_PER_PERIOD + 320, [3, 77, 500]))

  // The head: blocks in a row, one slot of them empty, up to the finalized one.
  const ancestors = []
  const finalSlot = last * SLOTS_PER_PERIOD + 3200
  for (let slot = finalSlot - depth; slot < finalSlot; slot++) {
    if (slot === finalSlot - 5) continue
    ancestors.push(block(slot, undefined, { parentRoot: ancestors.at(-1)?.root }))
  }
  const finalized = block(finalSlot, undefined, { parentRoot: ancestors.at(-1).root, commitments })
  const finality = signed(block(finalSlot + 68, stateOf(finalSlot + 68, finalized)), finalized, [9])
  const optimistic = signed(block(finalSlot + 70, stateOf(finalSlot + 70, finalized)), null, [])
  const headSlot = finalSlot + 71

  const genesisTime = 1_600_000_000
  return {
    network: {
      genesisTime,
      secondsPerSlot,
      forkEpochs: epochs,
      blobSchedule,
      signing: {
        genesisValidatorsRoot: hex(genesisValidatorsRoot),
        forkVersions: {
          genesis: '0x00000099',
          ...Object.fromEntries(FORKS.map((fork) => [fork, hex(versionOf(fork))])),
        },
      },
    },
    checkpoint: hex(checkpoint.root),
    finalized,
    optimistic: optimistic.attested,
    ancestors,
    headSlot,
    now: () => (genesisTime + headSlot * secondsPerSlot + 3) * 1000,
    bootstrap: {
      header: checkpoint.header,
      currentSyncCommittee: strip(committeeOf(FIRST_PERIOD)),
      currentSyncCommitteeBranch: checkpoint.proof(['currentSyncCommittee']),
    },
    updates,
    finality,
    optimisticUpdate: optimistic,
    firstPeriod: FIRST_PERIOD,
    types: typesAt,
    digestAt,
    sign: signed,
    block,
    stateOf,
    /** An update of a time when nothing is finalized: a block of a slot, signed by all but the absentees. */
    nonFinal(slot, absentees, next = committeeOf(Math.floor(slot / SLOTS_PER_PERIOD) + 1)) {
      const state = stateOf(slot)
      state.nextSyncCommittee = ssz.altair.SyncCommittee.toViewDU(strip(next))
      state.commit()
      const attested = block(slot, state)
      return {
        ...typesAt(slot).LightClientUpdate.defaultValue(),
        ...signed(attested, null, absentees).update,
        nextSyncCommittee: strip(next),
        nextSyncCommitteeBranch: attested.proof(['nextSyncCommittee']),
      }
    },
    /** The same update of a time when nothing is finalized: signatures are over the attested header alone. */
    withoutFinality(update) {
      const { finalizedHeader, finalityBranch } = typesAt(
        update.attestedHeader.beacon.slot,
      ).LightClientUpdate.defaultValue()
      return { ...update, finalizedHeader, finalityBranch }
    },
    /**
     * What a Beacon API node answers; `lies` puts other values in the place of these, and `strays` beside the blocks of the chain. Fork
     * digests are computed with `digestRoot`.
     */
    oracle(lies = {}) {
      const say = {
        bootstrap: this.bootstrap,
        updates,
        finality,
        optimistic: optimistic.update,
        strays: [],
        digestRoot: genesisValidatorsRoot,
        ...lies,
      }
      return ({ pathname, searchParams }) => {
        const path = pathname.replace('/eth/v1/beacon/', '')
        if (path === `light_client/bootstrap/${this.checkpoint}`)
          return told('LightClientBootstrap', say.bootstrap, say.bootstrap.header)
        if (path === 'light_client/finality_update')
          return told('LightClientFinalityUpdate', finalityOf(say.finality), say.finality.attestedHeader)
        if (path === 'light_client/optimistic_update')
          return told('LightClientOptimisticUpdate', say.optimistic, say.optimistic.attestedHeader)
        if (path === 'light_client/updates') {
          const from = Number(searchParams.get('start_period')) - FIRST_PERIOD
          return stream(
            say.updates.slice(Math.max(from, 0), from + Number(searchParams.get('count'))),
            say.digestRoot,
          )
        }
        const root = path.startsWith('headers/') ? path.slice(8) : ''
        const found = [...ancestors, finalized, ...say.strays].find((one) => hex(one.root) === root)
        return found === undefined ? null : { ssz: null, json: headerJson(found) }
      }
    },
  }

  function told(type, value, { beacon }) {
    const types = typesAt(beacon.slot)
    const version = forkAt(beacon.slot)
    const json = { version, data: types[type].toJson(value) }
    return { ssz: types[type].serialize(value), json, version }
  }

  function stream(list, digestRoot) {
    const chunks = list.map((update) => {
      const { slot } = update.attestedHeader.beacon
      const bytes = typesAt(slot).LightClientUpdate.serialize(update)
      const head = Buffer.alloc(8)
      head.writeBigUInt64LE(BigInt(bytes.length + 4))
      return Buffer.concat([head, digestAt(slot, digestRoot), bytes])
    })
    const json = list.map((update) => {
      const { slot } = update.attestedHeader.beacon
      return { version: forkAt(slot), data: typesAt(slot).LightClientUpdate.toJson(update) }
    })
    return { ssz: Buffer.concat(chunks), json }
  }

  /** compute_fork_digest, which from Fulu on is masked by the blob parameters. */
  function digestAt(slot, root = genesisValidatorsRoot) {
    const epoch = Math.floor(slot / 32)
    const fork = forkAt(slot)
    const forkData = { currentVersion: versionOf(fork), genesisValidatorsRoot: root }
    const digest = Buffer.from(ssz.phase0.ForkData.hashTreeRoot(forkData).slice(0, 4))
    if (epoch < epochs.fulu) return digest
    const entry = blobSchedule.findLast((one) => one.epoch <= epoch) ?? {
      epoch: epochs.electra,
      maxBlobsPerBlock: 9,
    }
    const words = Buffer.alloc(16)
    words.writeBigUInt64LE(BigInt(entry.epoch))
    words.writeBigUInt64LE(BigInt(entry.maxBlobsPerBlock), 8)
    const mask = createHash('sha256').update(words).digest()
    return digest.map((byte, at) => byte ^ mask[at])
  }

  /** A state of a slot, that has finalized a block. */
  function stateOf(slot, final) {
    const period = Math.floor(slot / SLOTS_PER_PERIOD)
    const state = emptyState(forkAt(slot)).clone()
    state.slot = slot
    state.currentSyncCommittee = ssz.altair.SyncCommittee.toViewDU(strip(committeeOf(period)))
    state.nextSyncCommittee = ssz.altair.SyncCommittee.toViewDU(strip(committeeOf(period + 1)))
    if (final)
      state.finalizedCheckpoint = ssz.phase0.Checkpoint.toViewDU({
        epoch: Math.ceil(final.header.beacon.slot / 32),
        root: final.root,
      })
    state.commit()
    return state
  }

  /** A block on a state, with its light-client header. `blobs`: as many as its blob gas pays for. */
  function block(
    slot,
    state,
    { parentRoot = new Uint8Array(32).fill(slot % 251), commitments = [], blobs = commitments.length } = {},
  ) {
    const types = typesAt(slot)
    const fork = forkAt(slot)
    const body = types.BeaconBlockBody.defaultValue()
    if (fork === 'gloas') return blockOfGloas(slot, state, body, { parentRoot, commitments })
    body.blobKzgCommitments = commitments
    if ('blobGasUsed' in body.executionPayload) body.executionPayload.blobGasUsed = BigInt(blobs) * 2n ** 17n
    body.executionPayload.blockNumber = slot + 7
    body.executionPayload.timestamp = genesisTimeOf(slot)
    body.executionPayload.blockHash = new Uint8Array(32).fill(1 + (slot % 200))
    body.executionPayload.extraData = Buffer.from('lodestar')
    body.executionPayload.baseFeePerGas = 2n ** 200n + 5n
    const { transactions, withdrawals, ...payload } = body.executionPayload
    const bodyView = types.BeaconBlockBody.toView(body)
    const branch = (path) => proofOf(types.BeaconBlockBody, bodyView.node, path)
    const beacon = {
      slot,
      proposerIndex: slot % 1000,
      parentRoot,
      stateRoot: state?.hashTreeRoot() ?? new Uint8Array(32).fill(slot % 241),
      bodyRoot: bodyView.hashTreeRoot(),
    }
    const bodyTypes = ssz[fork === 'capella' ? 'capella' : 'deneb']
    const blockHashBranch = branch(['executionPayload', 'blockHash'])
    return {
      root: ssz.phase0.BeaconBlockHeader.hashTreeRoot(beacon),
      header: {
        beacon,
        execution: {
          ...payload,
          transactionsRoot: bodyTypes.ExecutionPayload.fields.transactions.hashTreeRoot(transactions),
          withdrawalsRoot: bodyTypes.ExecutionPayload.fields.withdrawals.hashTreeRoot(withdrawals),
        },
        executionBranch: branch(['executionPayload']),
      },
      // What an update of Gloas has in its place.
      gloasHeader: {
        beacon,
        executionBlockHash: payload.blockHash,
        executionBranch: [...Array(11 - blockHashBranch.length).fill(new Uint8Array(32)), ...blockHashBranch],
      },
      commitmentsBranch: fork === 'capella' ? [] : branch(['blobKzgCommitments']),
      commitmentBranch: (index) => branch(['blobKzgCommitments', index]),
      slot,
      proof: (path) => proofOf(blockTypes(fork).BeaconState, state.node, path),
    }
  }

  /** A block of Gloas, which builds on a payload from before it and promises another one. */
  function blockOfGloas(slot, state, body, { parentRoot, commitments }) {
    const bid = body.signedExecutionPayloadBid.message
    bid.blobKzgCommitments = commitments
    bid.parentBlockHash = parentHashAt(slot)
    bid.blockHash = new Uint8Array(32).fill(1 + (slot % 200))
    bid.slot = slot
    const type = ssz.gloas.BeaconBlockBody
    const bodyView = type.toView(body)
    const branch = (path) => proofOf(type, bodyView.node, path)
    const message = ['signedExecutionPayloadBid', 'message']
    const beacon = {
      slot,
      proposerIndex: slot % 1000,
      parentRoot,
      stateRoot: state?.hashTreeRoot() ?? new Uint8Array(32).fill(slot % 241),
      bodyRoot: bodyView.hashTreeRoot(),
    }
    const header = {
      beacon,
      executionBlockHash: bid.parentBlockHash,
      executionBranch: branch([...message, 'parentBlockHash']),
    }
    return {
      root: ssz.phase0.BeaconBlockHeader.hashTreeRoot(beacon),
      header,
      gloasHeader: header,
      commitmentsBranch: branch([...message, 'blobKzgCommitments']),
      commitmentBranch: (index) => branch([...message, 'blobKzgCommitments', index]),
      slot,
      proof: (path) => proofOf(ssz.gloas.BeaconState, state.node, path),
    }
  }

  /** An update for a block that attests to another: `update` holds what an optimistic update has. */
  function signed(attested, final, absentees, signatureSlot = attested.slot + 1) {
    const types = typesAt(attested.slot)
    const forkVersion = versionOf(forkAt(signatureSlot - 1))
    const domain = new Uint8Array(32)
    domain.set([7, 0, 0, 0])
    const forkData = ssz.phase0.ForkData.hashTreeRoot({ currentVersion: forkVersion, genesisValidatorsRoot })
    domain.set(forkData.slice(0, 28), 4)
    const signingRoot = ssz.phase0.SigningData.hashTreeRoot({ objectRoot: attested.root, domain })
    const committee = committeeOf(Math.floor(signatureSlot / SLOTS_PER_PERIOD))
    const syncAggregate = sign(committee, signingRoot, absentees)
    const update = { attestedHeader: attested.header, syncAggregate, signatureSlot }
    if (!final) return { attested, update }
    const finalityBranch = attested.proof(['finalizedCheckpoint', 'root'])
    return {
      ...types.LightClientUpdate.defaultValue(),
      ...update,
      finalizedHeader: forkAt(attested.slot) === 'gloas' ? final.gloasHeader : final.header,
      finalityBranch,
    }
  }

  function fullUpdate(slot, absentees) {
    const final = block(slot)
    const attested = block(slot + 70, stateOf(slot + 70, final))
    return {
      ...signed(attested, final, absentees),
      nextSyncCommittee: strip(committeeOf(Math.floor(slot / SLOTS_PER_PERIOD) + 1)),
      nextSyncCommitteeBranch: attested.proof(['nextSyncCommittee']),
    }
  }
}

/** A finality update has some of an update's fields. */
function finalityOf({ attestedHeader, finalizedHeader, finalityBranch, syncAggregate, signatureSlot }) {
  return { attestedHeader, finalizedHeader, finalityBranch, syncAggregate, signatureSlot }
}

/** The hash of the payload that a block of Gloas builds on. */
export const parentHashAt = (slot) => new Uint8Array(32).fill(1 + ((slot + 9) % 251))

const genesisTimeOf = (slot) => 1_600_000_000 + slot * 12
const strip = ({ pubkeys, aggregatePubkey }) => ({ pubkeys, aggregatePubkey })
/** Fulu has Electra's light-client containers. */
const lightClientFork = (fork) => (fork === 'fulu' ? 'electra' : fork)
const blockTypes = (fork) => ({
  BeaconState: ssz[fork].BeaconState,
  BeaconBlockBody: ssz[fork].BeaconBlockBody,
})
const proofOf = (type, node, path) => new Tree(node).getSingleProof(type.getPathInfo(path).gindex)

const emptyStates = new Map()

/** A state with nothing in it, hashed once: its copies share what stays as it is. */
function emptyState(fork) {
  if (!emptyStates.has(fork)) {
    const state = ssz[fork].BeaconState.defaultViewDU()
    state.hashTreeRoot()
    emptyStates.set(fork, state)
  }
  return emptyStates.get(fork)
}

/** The answer to `/eth/v1/beacon/headers/{root}`. */
function headerJson({ root, header }) {
  const message = ssz.phase0.BeaconBlockHeader.toJson(header.beacon)
  const signature = hex(new Uint8Array(96))
  return { data: { root: hex(root), canonical: true, header: { message, signature } } }
}
