// What the rows about signatures need: a sync committee with messages that it signed, and a chain to follow.
import blst from '@chainsafe/blst'
import { randomBytes } from 'node:crypto'

const SIZE = 512
/** Members that sign: all of them, and as many as signed a recorded update of Sepolia. */
const SIGNERS = [SIZE, 459]

/** Keys, their sum, a message, and for each number of signers who they are and what they signed. */
export function makeCommittee() {
  const message = new Uint8Array(randomBytes(32))
  const secrets = Array.from({ length: SIZE }, () => blst.SecretKey.fromKeygen(randomBytes(32)))
  const points = secrets.map((secret) => secret.toPublicKey())
  const keys = points.map((point) => point.toBytes())
  const signatures = secrets.map((secret) => secret.sign(message))

  const signedBy = (count) => {
    const absentees = new Set(
      Array.from({ length: SIZE - count }, (_, at) => Math.floor((at * SIZE) / (SIZE - count))),
    )
    const present = (_, at) => !absentees.has(at)
    const bits = new Uint8Array(SIZE / 8)
    for (let at = 0; at < SIZE; at++) if (!absentees.has(at)) bits[at >> 3] |= 1 << (at & 7)
    return {
      keys: keys.filter(present),
      bits,
      signature: blst.aggregateSignatures(signatures.filter(present)).toBytes(),
    }
  }
  return {
    keys,
    aggregate: blst.aggregatePublicKeys(points).toBytes(),
    message,
    signed: Object.fromEntries(SIGNERS.map((count) => [count, signedBy(count)])),
  }
}

/** A chain of Fulu, as another implementation's types have it: what a light client begins with, and its first update. */
export async function makeChainToFollow() {
  const { makeChain } = await import('../lodestar/chain.mjs')
  const chain = makeChain({ periods: 0 })
  const { bootstrap, network } = chain
  const [update] = chain.updates
  const object = (type, value, { beacon }) => ({
    version: 'fulu',
    ssz: chain.types(beacon.slot)[type].serialize(value),
  })
  const { pubkeys, aggregatePubkey } = bootstrap.currentSyncCommittee
  return {
    network,
    checkpoint: Buffer.from(chain.checkpoint.slice(2), 'hex'),
    committee: Buffer.concat([...pubkeys, aggregatePubkey]),
    bootstrap: object('LightClientBootstrap', bootstrap, bootstrap.header),
    update: object('LightClientUpdate', update, update.attestedHeader),
    currentSlot: update.signatureSlot,
    /** What is in a store after the update and not before. */
    finalizedBodyRoot: update.finalizedHeader.beacon.bodyRoot,
  }
}
