/** The option `anchor`, read. It is the caller's own word, so what cannot be read is misuse: a `TypeError`. */
import { decodeHex, encodeHex } from '../bytes/hex.ts'
import { isBytes } from '../bytes/is-bytes.ts'
import { readUint64 } from '../bytes/uint64.ts'
import type { Anchor } from '../checks/delivery.ts'
import type { NetworkConfig } from '../networks.ts'
import { type HeaderLinks, type Provenance, provenanceOf } from '../verdict/provenance.ts'
import type { AnchorOption, BeaconBlockHeader, Header } from './options.ts'

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

/** The 112 bytes of a header in any of its forms, or the 32 of its root; throws `TypeError`. */
export function headerBytes(header: Header): Uint8Array {
  if (typeof header === 'string' || isBytes(header)) {
    const bytes = typeof header === 'string' ? decodeHex(header) : header
    if (bytes?.length === 32 || bytes?.length === 112) return new Uint8Array(bytes)
    if (bytes?.length === 208) return new Uint8Array(bytes.subarray(0, 112)) // signed: the signature is not looked at
    throw new TypeError('anchor.header must be a root of 32 bytes, or 112 bytes of SSZ (208 if signed)')
  }
  if (typeof header !== 'object' || header === null)
    throw new TypeError('anchor.header must be a header or its root')
  const message: Partial<BeaconBlockHeader> = 'message' in header ? header.message : header
  if (typeof message !== 'object' || message === null)
    throw new TypeError('anchor.header.message must be a header')
  const ssz = new Uint8Array(112)
  const view = new DataView(ssz.buffer)
  view.setBigUint64(0, readUint64(message.slot, 'anchor.header.slot'), true)
  view.setBigUint64(8, readUint64(message.proposer_index, 'anchor.header.proposer_index'), true)
  ssz.set(readBytes(message.parent_root, 32, 'anchor.header.parent_root'), 16)
  ssz.set(readBytes(message.state_root, 32, 'anchor.header.state_root'), 48)
  ssz.set(readBytes(message.body_root, 32, 'anchor.header.body_root'), 80)
  return ssz
}

function readBytes(value: unknown, length: number, name: string): Uint8Array {
  const bytes = typeof value === 'string' ? decodeHex(value) : value
  if (!isBytes(bytes) || bytes.length !== length)
    throw new TypeError(`${name} must be ${length} bytes, as a Uint8Array or 0x hex`)
  return bytes
}
