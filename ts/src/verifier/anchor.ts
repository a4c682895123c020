/** The option `anchor`, read. It is the caller's own word, so what cannot be read is misuse: a `TypeError`. */
import { encodeHex } from '../util/hex.ts'
import type { Anchor } from './checks/protocol.ts'
import type { NetworkConfig } from '../beacon/networks.ts'
import { type HeaderLinks, type Provenance, provenanceOf } from '../verdict/provenance.ts'
import type { AnchorOption } from './options.ts'
import { type Header, headerBytes, readBytes } from '../beacon/header.ts'

/** `network`: the verifier's, to which a light client's header must belong. */
export function readAnchor(anchor: AnchorOption | undefined, network: NetworkConfig): Anchor {
  if (anchor === undefined || anchor === 'none') return { kind: 'none' }
  if (typeof anchor === 'object' && anchor !== null) {
    const kinds = ['header', 'versionedHashes', 'commitments'].filter((kind) => kind in anchor)
    if (kinds.length === 1) {
      if ('header' in anchor) return { kind: 'header', ...readHeader(anchor.header, network) }
      if ('versionedHashes' in anchor)
        return { kind: 'versioned-hashes', hashes: readList(anchor.versionedHashes, 32, 'versionedHashes') }
      if ('commitments' in anchor)
        return { kind: 'commitments', commitments: readList(anchor.commitments, 48, 'commitments') }
    }
  }
  throw new TypeError("anchor must be 'none', { header }, { versionedHashes } or { commitments }")
}

function readList(list: readonly unknown[], length: number, name: string): string[] {
  if (!Array.isArray(list)) throw new TypeError(`anchor.${name} must be an array`)
  return Array.from(list, (entry, at) => encodeHex(readBytes(entry, length, `anchor.${name}[${at}]`)))
}

/** A header that a light client vouches for is known by what is on record of it, whatever the object says by now. */
function readHeader(header: Header, network: NetworkConfig): { header: Uint8Array; links: HeaderLinks } {
  const known = provenanceOf(header)
  if (known !== undefined && !isOf(network, known))
    throw new TypeError('anchor.header is of a light client of another network than the verifier’s')
  if (known !== undefined) return { header: new Uint8Array(known.root), links: known.links }
  return { header: headerBytes(header), links: onTrust }
}

/** A network without `signing` is nobody's: its forks and blob schedule may be any chain's. */
function isOf({ signing }: NetworkConfig, { genesisValidatorsRoot }: Provenance): boolean {
  return signing?.genesisValidatorsRoot.toLowerCase() === `0x${encodeHex(genesisValidatorsRoot)}`
}

/** A header on the caller's word. */
const onTrust: HeaderLinks = { header: 'trusted', 'sync-committee': 'absent', checkpoint: 'absent' }
