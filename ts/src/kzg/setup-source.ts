/** Where a half of the setup comes from, as callers say it. Apart from what loads it, which a page that verifies blobs with proofs never needs. */
import { isArrayBuffer } from '../util/bytes.ts'
import { readUrl } from '../util/url.ts'
import type { BinarySource, PlatformUrl } from '../util/platform-types.ts'

/** Where a half of the setup comes from, where it is not read from the package's own files: its address (text is relative to the page), or its bytes. */
export type SetupSource = PlatformUrl | string | BinarySource

/** A source of a half, read: an address, or a copy of the bytes. */
export type ReadSetupSource = PlatformUrl | Uint8Array

/**
 * Reads an option that names the source of a half. Bytes are copied: what the caller does with them later changes nothing. Throws
 * `TypeError` for what is neither an address nor bytes.
 */
export function readSetupSource(source: unknown, name: string): ReadSetupSource | undefined {
  if (ArrayBuffer.isView(source))
    return new Uint8Array(new Uint8Array(source.buffer, source.byteOffset, source.byteLength))
  if (isArrayBuffer(source)) return new Uint8Array(source).slice()
  return readUrl(source, name, 'a URL, text or bytes')
}
