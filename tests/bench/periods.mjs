// What it costs to catch up: 46 consecutive periods of mainnet, recorded, beside blst doing the same curve work natively.
//
//     node tests/bench/periods.mjs [ROUNDS]
//
// Under a current Node (tests/current-node) the relaxed-SIMD module is measured, too. blst decompresses and tests the 512 keys
// of each committee, compares their sum, and verifies the participants' signature: it reads no SSZ, checks no branch and keeps
// no store.
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { lightClientWords } from '../../dist/beacon/light-client-words.js'
import { resolveNetwork } from '../../dist/beacon/vetted-network.js'
import { readPacked } from '../../scripts/pack-vectors.mjs'
import { digits, median } from './statistics.mjs'

const here = (path) => fileURLToPath(new URL(path, import.meta.url))
const rounds = Number(process.argv[2] ?? 3)
const network = lightClientWords(resolveNetwork('mainnet'))
const FAR = 2n ** 64n - 1n
const DENEB = 2

const { bootstrap, updates } = readRecordings()
const contenders = [...(await ours()), ...(await blst())]

const samples = contenders.map(() => [])
// In turns, so that whatever else the machine does hits all alike. Round 0 warms up.
for (let round = 0; round <= rounds; round++) {
  for (const [at, { run }] of contenders.entries()) {
    const { user, system } = process.cpuUsage()
    if (!run()) throw new Error(`${contenders[at].name} refused a true update`)
    const after = process.cpuUsage()
    if (round > 0) samples[at].push((after.user + after.system - user - system) / 1000 / updates.length)
  }
}
console.log(`Node ${process.versions.node}, ${updates.length} periods, ${rounds} rounds; CPU ms an update`)
for (const [at, { name }] of contenders.entries())
  console.log(`${digits(median(samples[at])).padStart(8)}  ${name}`)

/** The bootstrap and the updates of mainnet in Deneb. */
function readRecordings() {
  const recorded = readPacked('lightclient')
  const read = (part) => {
    const name = recorded.list('mainnet-deneb').find((name) => name.includes(part))
    return Buffer.from(recorded.bytes(`mainnet-deneb/${name}`))
  }
  return { bootstrap: read('bootstrap'), updates: split(read('updates')) }
}

/** The updates of a Beacon API stream: a length, a digest, and the SSZ. */
function split(stream) {
  const found = []
  for (let at = 0; at < stream.length;) {
    const length = Number(stream.readBigUint64LE(at))
    found.push(stream.subarray(at + 12, at + 8 + length))
    at += 8 + length
  }
  return found
}

/** Each kernel that this Node can run: all periods in one product, and one after the other. */
async function ours() {
  const found = []
  for (const kernel of ['simd128', 'relaxed_simd']) {
    const bytes = await readFile(here(`../../wasm/light_client_${kernel}.wasm`))
    if (!WebAssembly.validate(bytes)) continue
    const glue = await import(`../../wasm/light_client_${kernel}.js`)
    glue.initSync({ module: await WebAssembly.compile(bytes) })
    if (!glue.fused()) continue
    const header = bootstrap.readUint32LE(0)
    const trusted = glue.headerRoot(bootstrap.subarray(header, header + 112))
    const start = glue.initializeStore(network, DENEB, trusted, bootstrap)
    const process = (store, list) => {
      const forks = new Uint8Array(list.length).fill(DENEB)
      const lengths = Uint32Array.from(list, ({ length }) => length)
      return glue.processUpdates(network, store, forks, Buffer.concat(list), lengths, FAR, new Uint8Array(32))
    }
    found.push(
      { name: `blobcheck ${kernel}, in one product`, run: () => process(start, updates)[0] === 0 },
      {
        name: `blobcheck ${kernel}, one by one`,
        run() {
          let store = start
          return updates.every((update) => {
            const answer = process(store, [update])
            store = answer.slice(5)
            return answer[0] === 0
          })
        },
      },
    )
  }
  return found
}

async function blst() {
  const blst = await import('@chainsafe/blst').then(
    (module) => module.default,
    () => null,
  )
  if (blst === null) {
    console.log('blst is not here: npm ci in tests/bench')
    return []
  }
  // Deneb's update: a header's offset, the next committee of 513 keys, its branch, an offset, the finality branch; then the
  // aggregate, 64 bytes of bits and the signature.
  const aggregate = 4 + 48 * 513 + 160 + 4 + 192
  const claims = updates.map((update, at) => {
    const attested = update.readUint32LE(0)
    return {
      // A committee signs the update after the one that brought it; both containers have it behind an offset.
      committee: at === 0 ? bootstrap.subarray(4, 4 + 48 * 513) : updates[at - 1].subarray(4, 4 + 48 * 513),
      bits: update.subarray(aggregate, aggregate + 64),
      signature: update.subarray(aggregate + 64, aggregate + 160),
      message: signingRoot(update.subarray(attested, attested + 112)),
    }
  })
  const verify = ({ committee, bits, signature, message }) => {
    const keys = Array.from({ length: 512 }, (_, at) =>
      blst.PublicKey.fromBytes(committee.subarray(48 * at, 48 * (at + 1)), true),
    )
    const sum = Buffer.from(blst.aggregatePublicKeys(keys).toBytes())
    const signers = keys.filter((_, at) => (bits[at >> 3] >> (at & 7)) & 1)
    return (
      sum.equals(committee.subarray(48 * 512)) &&
      blst.fastAggregateVerify(message, signers, blst.Signature.fromBytes(signature), true)
    )
  }
  return [{ name: 'blst, native: keys, sum, signature', run: () => claims.every(verify) }]
}

function sha256(...parts) {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

/** `compute_signing_root` of a header that a sync committee of mainnet signed under Deneb, as it did all through these. */
function signingRoot(header) {
  const chunk = (from, to) => Buffer.concat([header.subarray(from, to), Buffer.alloc(32)], 32)
  const zero = Buffer.alloc(32)
  const fields = [chunk(0, 8), chunk(8, 16), chunk(16, 48), chunk(48, 80), chunk(80, 112), zero, zero, zero]
  let layer = fields
  while (layer.length > 1)
    layer = layer.flatMap((node, at) => (at % 2 === 0 ? [sha256(node, layer[at + 1])] : []))
  const { genesisValidatorsRoot, forkVersions } = networks.mainnet.signing
  const version = Buffer.concat([Buffer.from(forkVersions.deneb.slice(2), 'hex'), Buffer.alloc(28)])
  const forkData = sha256(version, Buffer.from(genesisValidatorsRoot.slice(2), 'hex'))
  const domain = Buffer.concat([Buffer.from('07000000', 'hex'), forkData.subarray(0, 28)])
  return sha256(layer[0], domain)
}
