// Another implementation's types of what a node serves, and its ways to roots, branches and digests. Nothing of blobcheck's
// takes part.
import './hasher.mjs'
import { createHash } from 'node:crypto'
import { Tree } from '@chainsafe/persistent-merkle-tree'
import { ListCompositeType } from '@chainsafe/ssz'
import { ssz } from '@lodestar/types'
import { bls12_381 as bls } from '@noble/curves/bls12-381'

const { gloas, fulu, electra, deneb, phase0 } = ssz
const bytesOf = (hex) => Uint8Array.from(Buffer.from(hex.slice(2), 'hex'))
const hexOf = (bytes) => `0x${Buffer.from(bytes).toString('hex')}`

export const SignedBeaconBlock = fulu.SignedBeaconBlock
/** Blocks by fork, each type with the roots of a block and of its body. */
export const blocks = Object.fromEntries(
  Object.entries({ deneb, electra, fulu, gloas }).map(([fork, types]) => [
    fork,
    {
      type: types.SignedBeaconBlock,
      rootsOf: ({ message }) => [
        types.BeaconBlock.hashTreeRoot(message),
        types.BeaconBlockBody.hashTreeRoot(message.body),
      ],
    },
  ]),
)
export const DataColumnSidecars = new ListCompositeType(fulu.DataColumnSidecar, 128)
export const BlobSidecars = new ListCompositeType(deneb.BlobSidecar, 4096)
export const {
  LightClientBootstrap,
  LightClientUpdate,
  LightClientFinalityUpdate,
  LightClientOptimisticUpdate,
} = electra

/** Types of Gloas, whose numbers may have all 64 bits. */
export const Gloas = {
  SignedBeaconBlock: gloas.SignedBeaconBlock,
  SignedExecutionPayloadEnvelope: gloas.SignedExecutionPayloadEnvelope,
  DataColumnSidecars: new ListCompositeType(gloas.DataColumnSidecar, 128),
  LightClientBootstrap: gloas.LightClientBootstrap,
  LightClientUpdate: gloas.LightClientUpdate,
  LightClientFinalityUpdate: gloas.LightClientFinalityUpdate,
  LightClientOptimisticUpdate: gloas.LightClientOptimisticUpdate,
  blockRoot: (block) => gloas.BeaconBlock.hashTreeRoot(block.message),
  bodyRoot: (block) => gloas.BeaconBlockBody.hashTreeRoot(block.message.body),
  bidOf: (block) => block.message.body.signedExecutionPayloadBid.message,
  payloadOf: (envelope) => envelope.message.payload,
  /** The branch of `bid.parent_block_hash` in the body. */
  executionBranch(block) {
    const path = ['signedExecutionPayloadBid', 'message', 'parentBlockHash']
    const { gindex } = gloas.BeaconBlockBody.getPathInfo(path)
    return new Tree(gloas.BeaconBlockBody.toView(block.message.body).node).getSingleProof(gindex)
  },
}

export const blockRoot = (block) => fulu.BeaconBlock.hashTreeRoot(block.message)
export const bodyRoot = (block) => fulu.BeaconBlockBody.hashTreeRoot(block.message.body)
export const payloadOf = (block) => block.message.body.executionPayload
export const commitmentsBranch = (block) => branch(block, ['blobKzgCommitments'])
export const commitmentBranch = (block, index) => branch(block, ['blobKzgCommitments', index])

function branch(block, path) {
  const { gindex } = fulu.BeaconBlockBody.getPathInfo(path)
  return new Tree(fulu.BeaconBlockBody.toView(block.message.body).node).getSingleProof(gindex)
}

/** Digits without prefix. */
export function versionedHash(commitment) {
  return `01${createHash('sha256').update(commitment).digest('hex').slice(2)}`
}

function forkDataRoot({ signing }, fork = 'fulu') {
  return phase0.ForkData.hashTreeRoot({
    currentVersion: bytesOf(signing.forkVersions[fork]),
    genesisValidatorsRoot: bytesOf(signing.genesisValidatorsRoot),
  })
}

/** compute_fork_digest of a network whose first entry of the blob schedule is in force. */
export function forkDigest(network, fork = 'fulu') {
  const [{ epoch, maxBlobsPerBlock }] = network.blobSchedule
  const words = Buffer.alloc(16)
  words.writeBigUInt64LE(BigInt(epoch))
  words.writeBigUInt64LE(BigInt(maxBlobsPerBlock), 8)
  const mask = createHash('sha256').update(words).digest()
  return forkDataRoot(network, fork)
    .slice(0, 4)
    .map((byte, at) => byte ^ mask[at])
}

const keyOf = (secrets) => secrets.reduce((sum, secret) => sum + secret, 0n)

/** 0x hex of the key, or of the aggregate of several. */
export const publicKey = (secrets) =>
  hexOf(bls.G1.ProjectivePoint.BASE.multiply(keyOf(secrets)).toRawBytes(true))

/** Whether a root is signed by all of these, in a domain of a fork. */
export function isSigned(network, domainType, root, secrets, signature, fork = 'fulu') {
  const domain = new Uint8Array(32)
  domain[0] = domainType
  domain.set(forkDataRoot(network, fork).slice(0, 28), 4)
  const message = phase0.SigningData.hashTreeRoot({ objectRoot: bytesOf(root), domain })
  const DST = 'BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_'
  return bls.verify(signature, message, bytesOf(publicKey(secrets)), { DST })
}
