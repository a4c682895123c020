// Reading a block of mainnet's size: `node tests/bench/blocks.mjs`. No recorded block is at hand, so it is made by the types: as many
// transactions and operations as a full block has, with random bytes in them. Beside it, @lodestar/types does the same.
import { cpus } from 'node:os'
import { loadBeacon } from '../../dist/beacon/index.js'
import { blocks } from '../lodestar/types.mjs'

/** Numbers below a bound, from a seed (xorshift32). */
let state = 7
const below = (bound) => {
  state ^= state << 13
  state ^= state >>> 17
  state ^= state << 5
  return (state >>> 0) % bound
}
const hex = (length) => {
  const bytes = Buffer.alloc(length)
  for (let at = 0; at < length; at++) bytes[at] = below(256)
  return `0x${bytes.toString('hex')}`
}
const many = (count, make) => Array.from({ length: count }, make)
const uint = () => String(below(2 ** 31))

const checkpoint = () => ({ epoch: uint(), root: hex(32) })
const attestation = () => ({
  // A committee of a slot of a million validators, and the bit that ends the list.
  aggregation_bits: `${hex(3906)}01`,
  data: { slot: uint(), index: '0', beacon_block_root: hex(32), source: checkpoint(), target: checkpoint() },
  signature: hex(96),
  committee_bits: hex(8),
})
const deposit = () => ({
  pubkey: hex(48),
  withdrawal_credentials: hex(32),
  amount: uint(),
  signature: hex(96),
  index: uint(),
})
const withdrawal = () => ({ index: uint(), validator_index: uint(), address: hex(20), amount: uint() })

const common = {
  randao_reveal: hex(96),
  eth1_data: { deposit_root: hex(32), deposit_count: uint(), block_hash: hex(32) },
  graffiti: hex(32),
  proposer_slashings: [],
  attester_slashings: [],
  attestations: many(8, attestation),
  deposits: [],
  voluntary_exits: [],
  sync_aggregate: { sync_committee_bits: hex(64), sync_committee_signature: hex(96) },
  bls_to_execution_changes: [],
}
const requests = { deposits: many(8, deposit), withdrawals: [], consolidations: [] }

/** Fulu: so many transactions, most of them short, some long. */
function fulu(transactions) {
  const payload = {
    ...{ parent_hash: hex(32), fee_recipient: hex(20), state_root: hex(32), receipts_root: hex(32) },
    ...{
      logs_bloom: hex(256),
      prev_randao: hex(32),
      block_number: uint(),
      gas_limit: uint(),
      gas_used: uint(),
    },
    ...{ timestamp: uint(), extra_data: hex(12), base_fee_per_gas: uint(), block_hash: hex(32) },
    transactions: many(transactions, (_, at) => hex(at % 10 === 0 ? 4_000 + below(4_000) : 110 + below(500))),
    withdrawals: many(16, withdrawal),
    ...{ blob_gas_used: uint(), excess_blob_gas: uint() },
  }
  const body = {
    ...common,
    execution_payload: payload,
    blob_kzg_commitments: many(21, () => hex(48)),
    execution_requests: requests,
  }
  return blockOf(body)
}

function gloas() {
  const bid = {
    ...{ parent_block_hash: hex(32), parent_block_root: hex(32), block_hash: hex(32), prev_randao: hex(32) },
    ...{ fee_recipient: hex(20), gas_limit: uint(), builder_index: uint(), slot: uint(), value: uint() },
    ...{
      execution_payment: '0',
      blob_kzg_commitments: many(21, () => hex(48)),
      execution_requests_root: hex(32),
    },
  }
  const data = { beacon_block_root: hex(32), slot: uint(), payload_present: true, blob_data_available: true }
  const body = {
    ...common,
    signed_execution_payload_bid: { message: bid, signature: hex(96) },
    payload_attestations: many(4, () => ({ aggregation_bits: hex(64), data, signature: hex(96) })),
    parent_execution_requests: { ...requests, builder_deposits: [], builder_exits: [] },
  }
  return blockOf(body)
}

const blockOf = (body) => ({
  message: { slot: uint(), proposer_index: uint(), parent_root: hex(32), state_root: hex(32), body },
  signature: hex(96),
})

/** The first call, and the median of those after it, in milliseconds. */
function time(task, rounds = 30) {
  const times = many(rounds, () => {
    const start = performance.now()
    task()
    return performance.now() - start
  })
  const [first] = times
  const sorted = times.slice(5).sort((a, b) => a - b)
  return [first, sorted[Math.floor(sorted.length / 2)]].map((ms) => ms.toFixed(1)).join(' | ')
}

const beacon = await loadBeacon()
console.log(`${cpus()[0].model}, Node ${process.versions.node}; ms\n`)
console.log('| block | SSZ, kB | SSZ, first | SSZ | JSON, first | JSON | @lodestar/types, SSZ, first | SSZ |')
console.log('|---|--:|--:|--:|--:|--:|--:|--:|')
for (const [name, fork, block] of [
  ['Fulu, 300 transactions', 'fulu', fulu(300)],
  ['Fulu, 1,500 transactions', 'fulu', fulu(1_500)],
  ['Gloas', 'gloas', gloas()],
]) {
  const { type, rootsOf } = blocks[fork]
  const ssz = type.serialize(type.fromJson(block))
  const text = JSON.stringify({ version: fork, data: block })
  const read = (of) => beacon.readBlock(of, { fork })
  const wanted = Buffer.from(rootsOf(type.deserialize(ssz))[0]).toString('hex')
  for (const of of [ssz, text]) if (read(of).root !== `0x${wanted}`) throw new Error('another root')
  const ours = [ssz, text].map((of) => time(() => read(of)))
  const theirs = time(() => rootsOf(type.deserialize(ssz)))
  console.log(`| ${name} | ${Math.round(ssz.length / 1000)} | ${ours.join(' | ')} | ${theirs} |`)
}
