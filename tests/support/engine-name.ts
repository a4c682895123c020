/** The engine that a test runs in, for the table at the end of `npm test`. */
import type { KernelName } from 'blobcheck'
import { inBrowser } from './files.ts'

declare module 'vitest' {
  interface TaskMeta {
    /** An engine, with what a verifier has there that is asked for nothing in particular. */
    engine?: {
      readonly name: string
      readonly kernel: KernelName
      readonly workers: number
      /** How many answers were held against the vectors there, where that is not the number of tests that ran in it. */
      readonly answers?: number
    }
  }
}

/** Its name and version: as browsers call themselves, of which each names those before it, too. */
export const engineHere: string = inBrowser
  ? (/(?:Firefox|Chrome|Version)\/[\d.]+/.exec(navigator.userAgent)?.[0] ?? navigator.userAgent)
      .replace('Chrome/', 'Chromium ')
      .replace('Version/', 'WebKit ')
      .replace('/', ' ')
  : `Node ${process.versions.node}`
