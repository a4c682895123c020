/** Where the embedded block lies: `fetch` it in a page; in Node, `blobcheck/serve/node` reads it. */

/** Sidecars of Holesky's block 1409759, six blobs: data of the Rust package alloy-rpc-types-beacon (MIT or Apache-2.0). */
export const embeddedSidecarsUrl: URL = new URL(
  '../../../data/holesky_1409759_blob_sidecars.json',
  import.meta.url,
)
