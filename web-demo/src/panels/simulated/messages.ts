/** What the page and the worker of its simulated node say to each other, where no service worker answers. */

/** A request, with a port on which the answer goes out. */
export interface ToNode {
  /** Below `simulated/`, with its query. */
  readonly path: string
  readonly method: 'GET' | 'PUT'
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Blob | null
}

/** On the port of a request: `next` asks for the next part of the body, `cancel` says that nobody wants the rest. */
export type ToAnswer = 'next' | 'cancel'

/** On the port of a request, first the head, and then a part for each `next`; the end is `end`, or `broken` where the body breaks off. */
export type FromAnswer =
  | {
      readonly kind: 'head'
      readonly status: number
      readonly headers: readonly (readonly [string, string])[]
    }
  | { readonly kind: 'part'; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'end' }
  | { readonly kind: 'broken'; readonly why: string }
