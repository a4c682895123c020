/** What the package has of a platform, where the globals are others than that platform's: in sandboxes, and in what stands for a page in tests. */
import { createVerifier } from 'blobcheck'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { platform as web } from '../../dist/runtime/platform/web.js'
import type * as WebTimers from '../../dist/runtime/platform/web-timers.js'
import { makeBadBlob, makeBlob, never } from '../support/make.ts'

afterEach(() => void vi.unstubAllGlobals())

describe('in Node', () => {
  it.each([0, 2])('without setImmediate a verifier works, %i workers', async (workers) => {
    vi.stubGlobal('setImmediate', undefined)
    await works(workers)
  })

  it.each([0, 2])("with a page's globals a verifier works, %i workers", async (workers) => {
    vi.stubGlobal('window', globalThis)
    vi.stubGlobal('navigator', { userAgent: 'a page', hardwareConcurrency: 2, locks: { request: never } })
    await works(workers)
  })

  async function works(workers: number): Promise<void> {
    const verifier = await createVerifier({ workers, cache: false })
    const verdicts = await verifier.verifyBlobs([makeBlob(1), makeBadBlob(2)])
    expect(verdicts.map(({ status }) => status)).toEqual(['valid', 'invalid'])
    await verifier.dispose()
  }
})

describe('in a page', () => {
  it('whose signals are those of another one, what takes long is done', async () => {
    const page = new EventTarget()
    vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
    vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page))
    vi.stubGlobal(
      'AbortController',
      class {
        readonly signal = { aborted: false }
        abort(): void {}
      },
    )
    expect(await web.lasting(async () => 7)).toBe(7)
  })

  it.each([[[]], [['MessageChannel']], [['MessageChannel', 'setTimeout']]])(
    'whose sandbox has none of %j, others have their turn',
    async (names) => {
      const { href } = new URL(
        `../../dist/runtime/platform/web-timers.js?without=${names.join()}`,
        import.meta.url,
      )
      for (const name of names) vi.stubGlobal(name, undefined)
      const { turn } = (await import(/* @vite-ignore */ href)) as typeof WebTimers
      expect(await turn()).toBeUndefined()
    },
  )
})
