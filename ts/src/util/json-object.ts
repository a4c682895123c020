/** What a caller may hand in as parsed JSON. */

/** What has one of these is no parsed JSON. */
interface NoJson {
  /** Promises have it. */
  readonly then?: never
  /** Functions and classes have it. */
  readonly call?: never
  /** `Response` and `Blob` have it. */
  readonly arrayBuffer?: never
  /** An `ArrayBuffer` and its views have it. */
  readonly byteLength?: never
  /** Arrays, maps, sets and iterators have it. */
  readonly [Symbol.iterator]?: never
  /** Streams and asynchronous iterators have it. */
  readonly [Symbol.asyncIterator]?: never
}

/**
 * An object that can be parsed JSON, whatever its fields: a plain object, or one of a class or an interface that describes an answer. What is
 * passed by mistake does not compile: a promise that was not awaited, a function or a class, an array, map or stream, an `ArrayBuffer` or a view
 * of one, and a `Response` or `Blob` that was not read.
 */
export type JsonObject = (object | { readonly [field: string]: unknown }) & NoJson
