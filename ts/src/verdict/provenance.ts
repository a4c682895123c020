/**
 * Which headers come from a light client. The record is here and nowhere else: an object that only looks like one of its
 * headers is the caller's word, and nothing that is done to a real one changes what is on record.
 */
import type { Links } from './verdict.ts'

/** What a light client did to know that a header is of the chain: the three links of `Links` that it can vouch for. */
export type HeaderLinks = Pick<Links, 'header' | 'sync-committee' | 'checkpoint'>

/** The links of a header on the caller's word, and of the header of a block that is. */
export const onTrust: HeaderLinks = { header: 'trusted', 'sync-committee': 'absent', checkpoint: 'absent' }

/** What is on record of a header that a light client handed out. */
export interface Provenance {
  /** BeaconBlockHeader, 112 bytes of SSZ. */
  readonly ssz: Uint8Array
  readonly links: HeaderLinks
  /** `genesis_validators_root` of the chain that the header is of: 32 bytes. */
  readonly genesisValidatorsRoot: Uint8Array
}

/**
 * One record for all copies of this package in a realm, since `blobcheck/inline` is one of its own: their verifiers know the headers of any
 * light client there. Whoever could write to it could as well change any function of the realm. The number is that of its form.
 */
const RECORDS = Symbol.for('blobcheck.headers.2')
const shared = globalThis as { [RECORDS]?: WeakMap<object, Provenance> }
const records = shared[RECORDS] ?? new WeakMap<object, Provenance>()
// Where nothing may be added to the global object, each copy has a record of its own.
Reflect.set(shared, RECORDS, records)

/** Puts a header on record, as copies of what is said of it. The light client alone may call it. */
export function vouchFor(header: object, provenance: Provenance): void {
  const { ssz, links, genesisValidatorsRoot } = provenance
  records.set(header, {
    ssz: new Uint8Array(ssz),
    links: { ...links },
    genesisValidatorsRoot: new Uint8Array(genesisValidatorsRoot),
  })
}

/** What is on record of a header, or undefined where a light client knows nothing of it. */
export function provenanceOf(header: unknown): Provenance | undefined {
  return typeof header === 'object' && header !== null ? records.get(header) : undefined
}
