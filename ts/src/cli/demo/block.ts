/** The block of the page as its scripts read it: SSZ, which is half of the JSON, and need not be parsed. */
import { readSidecars } from '../../serve/sidecars-json.ts'
import { BlobSidecars } from '../../serve/ssz/sidecars.ts'

/**
 * The answer of a Beacon node to `/eth/v1/beacon/blob_sidecars/{block_id}` as it would be in SSZ: 131,928 bytes for each sidecar. `text`: the
 * answer in JSON. Throws `TypeError` for what is not all sidecars of one block.
 */
export function sszOf(text: string): Uint8Array<ArrayBuffer> {
  return BlobSidecars.serialize(readSidecars(text))
}
