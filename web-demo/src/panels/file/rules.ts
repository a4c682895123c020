/** Whose rules an item is judged by: the fork schedule and the blob counts of a network, which no file names. */
import { type NetworkName, networks } from 'blobcheck'
import type { Kind } from './contents.ts'

/** In the order in which they are tried. */
export const networkNames: readonly NetworkName[] = ['mainnet', 'holesky', 'hoodi', 'sepolia', 'plataberget']

/** As people write them. */
export const networkWords: Readonly<Record<NetworkName, string>> = {
  ...{ mainnet: 'Mainnet', holesky: 'Holesky', hoodi: 'Hoodi', sepolia: 'Sepolia' },
  plataberget: 'Plåtaberget',
}

/** The networks whose blocks have such sidecars in a slot; all of them where the slot is not known, or the kind has no schedule. */
export function networksWith(kind: Kind, slot: string | null, isGloas: boolean): readonly NetworkName[] {
  if (slot === null || kind === 'blobs' || kind === 'transaction') return networkNames
  return networkNames.filter((name) => {
    const { forkEpochs, slotsPerEpoch = 32 } = networks[name]
    const epoch = Number(BigInt(slot) / BigInt(slotsPerEpoch))
    const { deneb, fulu, gloas = Infinity } = forkEpochs
    if (isGloas) return epoch >= gloas
    return epoch >= (kind === 'blob-sidecars' ? deneb : fulu) && epoch < gloas
  })
}
