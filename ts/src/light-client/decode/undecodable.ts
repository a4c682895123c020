/** An answer that is not what was asked for; thrown within this folder's callers only. */
export class Undecodable extends Error {
  readonly kind: 'malformed' | 'truncated'
  constructor(detail: string, kind: 'malformed' | 'truncated' = 'malformed') {
    super(detail)
    this.kind = kind
  }
}
