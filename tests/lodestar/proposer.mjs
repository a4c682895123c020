// Block headers as proposers sign them: domains and roots are @lodestar/types', signatures @noble/curves'.
import { ssz } from '@lodestar/types'
import { bls12_381 as bls } from '@noble/curves/bls12-381'

const DST = 'BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_'
const { G1, G2 } = bls

/** The public key, 48 bytes, of a secret one. */
export const publicKey = (secret) => G1.ProjectivePoint.BASE.multiply(secret).toRawBytes(true)

/** The proposer's signature over a header (Beacon API JSON), 96 bytes. */
export function signHeader(message, { secret, forkVersion, genesisValidatorsRoot }) {
  const forkData = ssz.phase0.ForkData.hashTreeRoot({ currentVersion: forkVersion, genesisValidatorsRoot })
  const domain = new Uint8Array(32)
  domain.set(forkData.slice(0, 28), 4) // DOMAIN_BEACON_PROPOSER is 0
  const objectRoot = ssz.phase0.BeaconBlockHeader.hashTreeRoot(ssz.phase0.BeaconBlockHeader.fromJson(message))
  const point = G2.hashToCurve(ssz.phase0.SigningData.hashTreeRoot({ objectRoot, domain }), { DST })
  return G2.ProjectivePoint.fromAffine(point.toAffine()).multiply(secret).toRawBytes(true)
}
