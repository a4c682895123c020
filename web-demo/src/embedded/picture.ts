/** A blob as a picture: one dot for each byte, 16 field elements of 32 bytes in a row. */
import { BLOB_BYTES } from '../shared/sizes.ts'

export const WIDTH = 512
export const HEIGHT: number = BLOB_BYTES / WIDTH

/** Where a byte is in the picture. */
export function dotOf(at: number): { readonly x: number; readonly y: number } {
  return { x: at % WIDTH, y: Math.floor(at / WIDTH) }
}

/** RGBA: ink on nothing, the greater the byte the more of it. In the dark the style sheet turns it to light. */
export function pixelsOf(blob: Uint8Array): Uint8ClampedArray<ArrayBuffer> {
  const pixels = new Uint8ClampedArray(BLOB_BYTES * 4)
  for (let at = 0; at < BLOB_BYTES; at++) {
    const byte = blob[at] ?? 0
    if (byte === 0) continue
    pixels[4 * at] = 24 + ((255 - byte) >> 2)
    pixels[4 * at + 1] = 56 + ((255 - byte) >> 2)
    pixels[4 * at + 2] = 92 + ((255 - byte) >> 1)
    pixels[4 * at + 3] = 48 + Math.round(byte * 0.8)
  }
  return pixels
}
