/** A blob’s bytes to read: in hex, or as the text that they are in UTF-8. */
import { toHex } from '../shared/bytes.ts'

/** How cards show their blobs: as pictures, or as bytes to read. */
export type BlobView = 'picture' | 'raw' | 'text'

/** BYTES_PER_FIELD_ELEMENT of EIP-4844. */
const ELEMENT_BYTES = 32

export function bytesText(blob: Uint8Array, view: Exclude<BlobView, 'picture'>): string {
  return view === 'raw' ? rawOf(blob) : textOf(blob)
}

/** A line for each field element: where it begins, and its 64 digits. */
function rawOf(blob: Uint8Array): string {
  const lines: string[] = []
  for (let at = 0; at < blob.length; at += ELEMENT_BYTES)
    lines.push(
      `${at.toString(16).padStart(5, '0')}  ${toHex(blob.subarray(at, at + ELEMENT_BYTES)).slice(2)}`,
    )
  return lines.join('\n')
}

/** What is no text, a dot for each run of it. Most blobs are compressed, and are not text at all. */
function textOf(blob: Uint8Array): string {
  return new TextDecoder().decode(blob).replaceAll(/[\p{Cc}\p{Cf}\p{Cn}\p{Co}\uFFFD]+/gu, '·')
}
