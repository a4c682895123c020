/**
 * Bodies in pieces: an answer with the blobs of a block has megabytes, as JSON twice as many, and hundreds of clients may be slow to read
 * theirs. A piece is made when there is room for it, and the whole length is known before the first one.
 */

/** A piece of a body: text in ASCII, bytes as they are, or bytes as hex digits without prefix. */
export type Piece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'hex'; readonly bytes: Uint8Array }

/** The length of a body in bytes. */
export function lengthOf(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, piece) => sum + lengthOfPiece(piece), 0)
}

function lengthOfPiece(piece: Piece): number {
  if (piece.kind === 'text') return piece.text.length
  return piece.kind === 'hex' ? 2 * piece.bytes.length : piece.bytes.length
}

/** The body itself. */
export function bodyOf(pieces: readonly Piece[]): ReadableStream<Uint8Array> {
  let at = 0
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const piece = pieces[at++]
        if (piece === undefined) controller.close()
        else controller.enqueue(made(piece))
      },
    },
    // What is not wanted yet is not made.
    { highWaterMark: 0 },
  )
}

/** Of bytes a copy: whoever sends them may hand their buffer on. */
function made(piece: Piece): Uint8Array {
  if (piece.kind === 'text') return Buffer.from(piece.text, 'latin1')
  const view = Buffer.from(piece.bytes.buffer, piece.bytes.byteOffset, piece.bytes.length)
  return piece.kind === 'hex' ? Buffer.from(view.toString('hex'), 'latin1') : Buffer.from(view)
}
