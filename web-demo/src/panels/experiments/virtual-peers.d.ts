/** Made by the build (`web-demo/peers/plugin.ts`). */
declare module 'virtual:peers' {
  export interface OfferedPeer {
    readonly name: string
    readonly version: string
    /** Bytes of its file, as a decimal number. */
    readonly bytes: string
  }

  /** None in the packaged page. */
  export const peers: readonly OfferedPeer[]

  /** By name, the address of a worker that has that peer (`tests/bench/browser/peers`); null where there are none. */
  export const load: (() => Promise<{ readonly workers: Readonly<Record<string, string>> }>) | null
}
