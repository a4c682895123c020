/** What the package has of a platform, where the globals are others than that platform's: in sandboxes, and in what stands for a page in tests. */
import { createVerifier } from 'blobcheck'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { loadCode } from '../../dist/runtime/load-code.js'
import { platform as web } from '../../dist/runtime/platform/web.js'
import type * as WebTimers from '../../dist/runtime/platform/web-timers.js'
import { makeBadBlob, makeBlob, never, turn } from '../support/make.ts'

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

  it('code that cannot be loaded is told of in the words of the system, without what helps elsewhere', async () => {
    const load = async (): Promise<never> => {
      const message = "EMFILE: too many open files, open '/blobcheck/block-reader.js'"
      throw Object.assign(new Error(message), { code: 'EMFILE' })
    }
    await expect(loadCode(load)).rejects.toThrow(
      /^code could not be loaded by import\(\): EMFILE: too many open files, open '[^']+'$/,
    )
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

  describe('that is left, what takes long', () => {
    /** A page, what is listened for in it, and tasks that its test ends. */
    function open(): {
      tell(type: string): void
      heard: () => number
      task: () => Promise<unknown>
      runs: { resolve(value: unknown): void; reject(cause: Error): void }[]
    } {
      const page = new EventTarget()
      let heard = 0
      vi.stubGlobal('addEventListener', (type: string, listener: EventListener) => {
        heard++
        page.addEventListener(type, listener)
      })
      vi.stubGlobal('removeEventListener', (type: string, listener: EventListener) => {
        heard--
        page.removeEventListener(type, listener)
      })
      const runs: ReturnType<typeof open>['runs'] = []
      return {
        tell: (type) => void page.dispatchEvent(Object.assign(new Event(type), { persisted: true })),
        heard: () => heard,
        task: () => new Promise((resolve, reject) => void runs.push({ resolve, reject })),
        runs,
      }
    }
    const failed = new TypeError('Load failed')

    it.each([
      ['before the next page is there', ['beforeunload', 'fail', 'pagehide', 'pageshow']],
      ['when it is left', ['beforeunload', 'pagehide', 'fail', 'pageshow']],
      ['where no leaving was announced', ['pagehide', 'fail', 'pageshow']],
      ['and is told of it when it is come back to', ['beforeunload', 'pagehide', 'pageshow', 'fail']],
    ])('is begun again where it fails %s', async (_when, steps) => {
      const { tell, heard, task, runs } = open()
      const lasting = web.lasting(task)
      for (const step of steps) {
        if (step === 'fail') runs[0]!.reject(failed)
        else tell(step)
        await turn()
      }
      expect(runs).toHaveLength(2)
      runs[1]!.resolve(7)
      expect([await lasting, heard()]).toEqual([7, 0])
    })

    it('is what comes first, where the first attempt outlives its page’s absence', async () => {
      const { tell, heard, task, runs } = open()
      const lasting = web.lasting(task)
      for (const type of ['beforeunload', 'pagehide', 'pageshow']) tell(type)
      runs[0]!.resolve(7)
      expect([await lasting, heard(), runs.length]).toEqual([7, 0, 2])
      runs[1]!.reject(failed)
      await turn()
    })

    it('fails where it fails again, and where nobody has left', async () => {
      const { tell, heard, task, runs } = open()
      const here = web.lasting(task)
      runs[0]!.reject(failed)
      await expect(here).rejects.toBe(failed)
      const left = web.lasting(task)
      for (const type of ['beforeunload', 'pagehide', 'pageshow']) tell(type)
      runs[2]!.reject(failed)
      await expect(left).rejects.toBe(failed)
      runs[1]!.reject(new Error('an attempt of before'))
      await turn()
      expect([heard(), runs.length]).toEqual([0, 3])
    })

    it('is begun again in a page that was to be left, and stays', async () => {
      const { tell, heard, task, runs } = open()
      const lasting = web.lasting(task)
      tell('beforeunload')
      runs[0]!.reject(failed)
      await vi.waitFor(() => expect(runs).toHaveLength(2), { timeout: 60_000 })
      runs[1]!.reject(failed)
      await expect(lasting).rejects.toBe(failed)
      expect(heard()).toBe(0)
    })
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

it('workers start where a bundler has put its own `process` in the place of Node’s', async () => {
  const { execArgv } = process
  try {
    process.execArgv = undefined as never
    const verifier = await createVerifier({ workers: 1, cache: false, onWarning: () => {} })
    try {
      expect(verifier.workers).toBe(1)
    } finally {
      await verifier.dispose()
    }
  } finally {
    process.execArgv = execArgv
  }
})
