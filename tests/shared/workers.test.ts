/** How many workers there are, and why: nobody loses them without a word, and who wants none needs nothing. */
import {
  createVerifier,
  type Verifier,
  type VerifierOptions,
  WasmUnavailableError,
  type Warning,
} from 'blobcheck'
import { loadBeacon } from 'blobcheck/beacon'
import { loadKzg, SetupUnavailableError } from 'blobcheck/kzg'
import { loadLightClientSpec } from 'blobcheck/light-client'
import { createProver, loadProver } from 'blobcheck/prover'
import * as inline from 'blobcheck/inline'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import * as setup from '../../dist/kzg/setup.js'
import { compileKernel } from '../../dist/runtime/kernel/module.js'
import { loadCode } from '../../dist/runtime/load-code.js'
import type * as setupSource from '../../ts/src/kzg/setup.ts'
import { toHex } from '../support/bytes.ts'
import { inBrowser } from '../support/files.ts'
import { useGlobalTimers } from '../support/global-timers.ts'
import { makeBadBlob, makeBlob, turn } from '../support/make.ts'
import { packageFile, readAssetBytes, readVerifierModule } from '../support/modules.ts'

let verifier: Verifier | undefined
afterEach(async () => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  await verifier?.dispose()
  verifier = undefined
})

async function open(options: VerifierOptions): Promise<{ verifier: Verifier; warnings: Warning[] }> {
  const warnings: Warning[] = []
  verifier = await createVerifier({
    cache: false,
    onWarning: (warning) => warnings.push(warning),
    ...options,
  })
  return { verifier, warnings }
}

async function works(verifier: Verifier): Promise<void> {
  const verdicts = await verifier.verifyBlobs([makeBlob(1), makeBadBlob(2)])
  expect(verdicts.map(({ status }) => status)).toEqual(['valid', 'invalid'])
}

/** A script that is loaded, and says nothing. One that is empty is left where a bundler thinks that it has no effects: Node ends its thread. */
const silent = (code: string): URL =>
  new URL(
    inBrowser
      ? URL.createObjectURL(new Blob([code], { type: 'text/javascript' }))
      : `data:text/javascript,${encodeURIComponent(code)}`,
  )
const empty = (): URL => silent('export {}')
const busy = (): URL => silent('setInterval(() => {}, 1e6)')
/** Who says nothing in this engine: such a worker is given up when its time is over. */
const silentHere = inBrowser ? [empty, busy] : [busy]

/** A verifier with such a script. Looks at the time follow each other at once where nothing else ends the waiting. */
async function openWith(script: () => URL, options: VerifierOptions): ReturnType<typeof open> {
  const opening = () => open({ ...options, workerUrl: script() })
  if (!silentHere.includes(script)) return await opening()
  useGlobalTimers()
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  let isSettled = false
  const opened = opening().finally(() => (isSettled = true))
  opened.catch(() => {}) // whoever waits for it below is told
  while (!isSettled) {
    await vi.advanceTimersByTimeAsync(100)
    await turn(5)
  }
  return await opened
}

const missing = new URL('no-such-worker.js', import.meta.url)
const notThere = (): URL => missing

describe('the reason for the number of workers', () => {
  it.each([0, 1, 2])('%i that were asked for', async (workers) => {
    const { verifier, warnings } = await open({ workers })
    expect([verifier.workers, verifier.workersReason, warnings]).toEqual([workers, 'asked for', []])
    const prover = await createProver({ workers })
    expect([prover.workers, prover.workersReason]).toEqual([workers, 'asked for'])
    await prover.dispose()
  })

  it('is the number of cores, where it was left to us', async () => {
    const { verifier, warnings } = await open({})
    expect(verifier.workers).toBeGreaterThan(0)
    expect([verifier.workersReason, warnings]).toEqual(['one for each core, up to 8', []])
    await works(verifier)
  })
})

describe('workers that are lost', () => {
  it.each([
    ['whose script is not there', notThere, /could not be loaded|Cannot find module/],
    ['whose script is empty', empty, inBrowser ? /has said nothing in 10000 ms/ : /exited with code 0/],
    ['who say nothing', busy, /the script has said nothing in 10000 ms/],
  ])('%s: the calling thread computes, and says so', async (_, script, reason) => {
    const { verifier, warnings } = await openWith(script, {})
    expect(verifier.workers).toBe(0)
    expect(verifier.workersReason).toMatch(/^no worker could be started: /)
    expect(verifier.workersReason).toMatch(reason)
    expect(warnings).toEqual([
      { code: 'no-workers', message: expect.stringContaining(verifier.workersReason) as string },
    ])
    expect(warnings[0]!.message).toMatch(/workerUrl.*ask for no workers/)
    await works(verifier)
  })

  it.each([
    ['whose script is not there', notThere],
    ['whose script is empty', empty],
    ['who say nothing', busy],
  ])('%s, of which a number was asked for: an error with the reason', async (_, script) => {
    const opening = openWith(script, { workers: 2 })
    await expect(opening).rejects.toThrow(WasmUnavailableError)
    await expect(opening).rejects.toThrow(
      /no worker could be started: .*(said nothing|loaded|find module|exited)/,
    )
  })

  it('of a prover are told as well', async () => {
    const onWarning = vi.fn()
    const prover = await createProver({ workerUrl: missing, onWarning })
    expect(prover.workers).toBe(0)
    expect(prover.workersReason).toMatch(/^no worker could be started: /)
    expect(onWarning).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ code: 'no-workers' }))
    await prover.dispose()
  })

  it('are told to the console where nobody listens, once', async () => {
    const script = new URL('no-worker-of-this-test.js', import.meta.url)
    const told = vi.spyOn(console, 'warn').mockImplementation(() => {})
    for (let at = 0; at < 2; at++) {
      const opened = await createVerifier({ cache: false, workerUrl: script })
      await opened.dispose()
    }
    // Browsers do not say which script it was: another test may have said the same before.
    expect(told.mock.calls.length).toBe(1)
    expect(told.mock.calls[0]![0]).toMatch(/^blobcheck: no worker could be started: /)
  })

  it('a listener that throws hinders nobody', async () => {
    const onWarning = vi.fn(() => {
      throw new Error('not your day')
    })
    verifier = await createVerifier({ cache: false, workerUrl: missing, onWarning })
    expect(onWarning).toHaveBeenCalledOnce()
    await works(verifier)
  })
})

// Nothing else keeps a page in memory. Chromium forgets a worker of a page that is left before the worker has started, and tells nobody.
if (inBrowser)
  describe('a page that is come back to', () => {
    const comeBack = (): void => void dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
    /** Workers with the script of the package, but for the first, which says nothing; and what is posted to that one. */
    function forgetFirst(): { started: () => number; posted: unknown[] } {
      const { Worker } = globalThis
      const posted: unknown[] = []
      let started = 0
      vi.stubGlobal('Worker', function (url: string | URL, options?: WorkerOptions): Worker {
        if (started++ > 0) return new Worker(url, options)
        const forgotten = new Worker(busy(), options)
        const post = vi.spyOn(forgotten, 'postMessage')
        post.mockImplementation((message: unknown) => void posted.push(message))
        return forgotten
      })
      return { started: () => started, posted }
    }

    it('has another worker in the place of one that has not started', async () => {
      const { started, posted } = forgetFirst()
      const opening = open({ workers: 1 })
      await vi.waitFor(() => expect(posted.length).toBeGreaterThan(1))
      comeBack()
      const { verifier, warnings } = await opening
      expect([verifier.workers, verifier.workersReason, warnings]).toEqual([1, 'asked for', []])
      await works(verifier)
      // One that has started is left as it is.
      comeBack()
      await works(verifier)
      expect([started(), verifier.stats().crashes]).toEqual([2, 0])
    })

    it('has another one too where its module is not there yet', async () => {
      const { started } = forgetFirst()
      const compiling = vi.spyOn(WebAssembly, 'compile').mockReturnValue(new Promise(() => {}))
      const wasm = { simd128: (await readVerifierModule('simd128')).slice() }
      const opening = open({ workers: 1, kernel: 'simd128', wasm })
      await vi.waitFor(() => expect(compiling).toHaveBeenCalledOnce())
      expect(started()).toBe(1)
      compiling.mockRestore()
      comeBack()
      const { verifier } = await opening
      await works(verifier)
      expect([started(), verifier.stats().crashes]).toEqual([2, 0])
    })

    it('has another one in the place of one whose script did not come while it was left', async () => {
      const { Worker } = globalThis
      let started = 0
      const missing = new URL('./no-such-script.js', location.href)
      const failed = new Promise((resolve) =>
        vi.stubGlobal('Worker', function (url: string | URL, options?: WorkerOptions): Worker {
          const worker = new Worker(started++ > 0 ? url : missing, options)
          worker.addEventListener('error', resolve)
          return worker
        }),
      )
      // The slot itself is listening by then.
      const wasm = { simd128: await WebAssembly.compile(await readVerifierModule('simd128')) }
      const opening = open({ workers: 1, kernel: 'simd128', wasm })
      await turn()
      dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))
      await failed
      await turn()
      comeBack()
      const { verifier, warnings } = await opening
      await works(verifier)
      expect([started, verifier.stats().crashes, warnings]).toEqual([2, 0, []])
    })

    it('is listened for no more where a worker has ended before it has started', async () => {
      forgetFirst()
      const [listening, over]: unknown[][] = [[], []]
      for (const [name, listeners] of [
        ['addEventListener', listening!],
        ['removeEventListener', over!],
      ] as const)
        vi.spyOn(globalThis, name).mockImplementation((type: string, listener: unknown) => {
          if (type === 'pageshow') listeners.push(listener)
        })
      // The first to start is enough to begin with. Before them, the start itself is listened for, and its module.
      const { verifier } = await open({ workers: 2 })
      const isOver = (): boolean[] => listening!.map((listener) => over!.includes(listener))
      await vi.waitFor(() => expect(isOver()).toEqual([true, true, false, true]))
      await verifier.dispose()
      await vi.waitFor(() => expect(isOver()).toEqual([true, true, true, true]))
    })
  })

describe('no workers, in a sandbox', () => {
  it.each([
    ['MessageChannel'],
    ['MessageChannel', 'setTimeout'],
    ['queueMicrotask'],
    ['navigator'],
    ['MessageChannel', 'queueMicrotask', 'navigator', 'Worker', 'indexedDB', 'performance'],
  ])('without %s %s', async (...names) => {
    for (const name of names) vi.stubGlobal(name, undefined)
    const { verifier } = await open({ workers: 0 })
    await works(verifier)
  })
})

/** An error, what caused it, and so on. */
const causesOf = (error: unknown): Error[] =>
  error instanceof Error ? [error, ...causesOf(error.cause)] : []

describe('a file that is another', () => {
  /** What a server answers that knows of pages alone. */
  const page = new URL(`data:text/html,${'<!doctype html>'.repeat(3)}`)

  it('in the place of a module is named, with what helps', async () => {
    const opening = open({ wasm: { simd128: page, 'relaxed-simd': page } })
    await expect(opening).rejects.toThrow(WasmUnavailableError)
    await expect(opening).rejects.toThrow(page.href)
    await expect(opening).rejects.toThrow('is no WebAssembly module: it begins with "<!doctype html><"')
    await expect(opening).rejects.toThrow(/option wasm.*blobcheck\/inline/)
  })

  it('and a `fetch` that gives no Response, is named with the address of the module', async () => {
    vi.stubGlobal('fetch', () => undefined)
    const module = new URL('http://nowhere.example/verifier.wasm')
    const opening = open({ wasm: { simd128: module, 'relaxed-simd': module } })
    await expect(opening).rejects.toThrow(WasmUnavailableError)
    await expect(opening).rejects.toThrow(`${module.href}: what fetch resolved to is no Response`)
  })

  it('or is not to be had, is named without what is secret of its address', async () => {
    const { fetch } = globalThis
    const fetched: string[] = []
    const answers: Record<string, () => unknown> = {
      refuses: () => new Response('', { status: 403 }),
      'is another': () => new Response('<!doctype html>'),
      'is silent': () => Promise.reject(new TypeError('Failed to fetch')),
    }
    for (const [what, answer] of Object.entries(answers)) {
      vi.stubGlobal('fetch', (url: URL, init?: RequestInit) => {
        if (!url.host.includes('nowhere')) return fetch(url, init)
        fetched.push(url.href)
        return answer()
      })
      for (const authority of ['https://nowhere.example', 'https://USER:PASSWORD@nowhere.example']) {
        const file = new URL(`${authority}/a@b/file?key=QUERY#HASH`)
        for (const load of [
          () => loadKzg({ wasm: { simd128: file, 'relaxed-simd': file } }),
          () => loadKzg({ commitmentSetup: file.href }),
          () => loadProver({ setup: { blobs: file } }),
        ]) {
          const error: unknown = await load().catch((error: unknown) => error)
          const told = causesOf(error).map(({ message }) => message)
          expect(told[0], what).toContain('https://nowhere.example/a@b/file')
          expect(told.join('\n'), what).not.toMatch(/USER|PASSWORD|QUERY|HASH/)
        }
      }
    }
    // Those with a password no platform fetches.
    expect(new Set(fetched)).toEqual(new Set(['https://nowhere.example/a@b/file?key=QUERY#HASH']))
  })

  /** What ends a message where `blobcheck/inline` has the module inside, and where it has not, or is what says so. */
  const orInline = "with the option wasm, or import 'blobcheck/inline'"
  const alone = 'with the option wasm'

  it.each<[string, (wasm: { simd128: Uint8Array<ArrayBuffer> }) => Promise<unknown>, string, string]>([
    ['createVerifier', (wasm) => open({ wasm, workers: 1 }), 'light_client', orInline],
    ['createVerifier', (wasm) => open({ wasm, workers: 1 }), 'blobcheck', orInline],
    ['createVerifier of blobcheck/inline', (wasm) => inline.createVerifier({ wasm }), 'blobcheck', alone],
    ['loadKzg', (wasm) => loadKzg({ wasm }), 'verifier', `${alone}, or kzg: { wasm } of a verifier`],
    ['loadProver', (wasm) => loadProver({ wasm }), 'blobcheck', alone],
    ['loadLightClientSpec', (wasm) => loadLightClientSpec({ wasm }), 'prover', alone],
    ['loadBeacon', (wasm) => loadBeacon({ wasm }), 'light_client', alone],
  ])(
    'in the place of a module, and is a module itself, is named, with what helps: %s',
    async (_, load, other, remedy) => {
      const empty = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0)
      for (const simd128 of [empty, await readAssetBytes(`${other}_simd128.wasm`)]) {
        const loading = load({ simd128 })
        const why = 'the simd128 module could not be loaded: what was found is another module'
        await expect(loading).rejects.toMatchObject({
          // Of blobcheck/inline it is another class of this name.
          name: 'WasmUnavailableError',
          message: `${why}. Say where it is ${remedy}`,
        })
      }
    },
  )

  it('and was compiled elsewhere, since nothing may be compiled here, is named, and no policy is', async () => {
    const simd128 = await WebAssembly.compile(await readAssetBytes('beacon_simd128.wasm'))
    const { Module } = WebAssembly
    onTestFinished(() => void (WebAssembly.Module = Module))
    WebAssembly.Module = new Proxy(Module, {
      construct: () => {
        throw new WebAssembly.CompileError('blocked by Content Security Policy')
      },
    })
    await expect(loadKzg({ wasm: { simd128 } })).rejects.toThrow(/is another module.*option wasm/)
  })

  it('in the place of the points of commitments is named, too', async () => {
    await expect(loadKzg({ commitmentSetup: page })).rejects.toThrow(
      /html> is not Ethereum's: it has 45 bytes and begins with "<!doctype html><"\. Say where it is with the option commitmentSetup$/,
    )
  })
})

// Scripts that a bundler made in one piece, for which `import.meta.url` is undefined, and modules from `data:` and `blob:`.
describe.each([undefined, 'data:text/javascript,1', 'blob:https://a.example/1'])('beside %s', (script) => {
  const nowhere = (): URL => new URL('../wasm/file', script)

  it('no module is found, which is named, with what helps', async () => {
    const compiling = compileKernel('simd128', {}, { simd128: nowhere, own: 'fused', option: 'wasm' })
    await expect(compiling).rejects.toThrow(WasmUnavailableError)
    await expect(compiling).rejects.toThrow(/\. Say where it is with the option wasm$/)
  })

  it('no setup is found, which is named', async () => {
    const { SetupHalf } = setup as unknown as typeof setupSource
    const half = new SetupHalf({ name: 'prover-setup.bin', url: nowhere, hash: '' }, undefined)
    await expect(half.load()).rejects.toThrow(SetupUnavailableError)
  })
})

it('what an engine says with a full stop has one full stop behind it', async () => {
  const refuse = (): never => {
    throw new TypeError('This document requires TrustedScriptURL assignment.')
  }
  for (const failing of [
    compileKernel('simd128', {}, { simd128: refuse, own: 'fused', option: 'wasm' }),
    loadCode(async () => refuse()),
  ])
    await expect(failing).rejects.toThrow(/: This document requires TrustedScriptURL assignment\. [A-Z]/)
})

describe('addresses', () => {
  it('may be text', async () => {
    const { wasm, workerUrl } = addresses()
    const { verifier, warnings } = await open({ wasm, workerUrl, workers: 1 })
    await works(verifier)
    expect(warnings).toEqual([])
  })

  if (inBrowser)
    it('in text are relative to the page', async () => {
      const { wasm, workerUrl } = addresses()
      const path = (url: string): string => new URL(url).pathname
      const { verifier } = await open({
        wasm: { simd128: path(wasm.simd128) },
        workerUrl: path(workerUrl),
        workers: 1,
      })
      await works(verifier)
    })
  else
    it('in text are relative to nothing where there is no page', async () => {
      await expect(open({ workerUrl: '/assets/worker.js' })).rejects.toThrow(
        'workerUrl: "/assets/worker.js" is no absolute URL, and there is no page that it could be relative to',
      )
    })

  it('that are none are named, without what is secret of them, and hex that was meant as bytes is cut', async () => {
    const hex = toHex(new Uint8Array(262_176))
    for (const [text, shown] of [
      ['//USER:PASSWORD@[nowhere/file?QUERY', '//[nowhere/file'],
      ['https://USER:PASSWORD@[nowhere/file?QUERY\n#HASH', 'https://[nowhere/file'],
      [`http://[${hex}`, `http://[${hex}`.slice(0, 300)],
    ] as const)
      await expect(loadProver({ setup: { blobs: text } })).rejects.toThrow(`setup.blobs: "${shown}" is no`)
    if (inBrowser) return
    const error: unknown = await loadProver({ setup: { blobs: hex } }).catch((error: unknown) => error)
    expect((error as Error).message.length).toBeLessThan(500)
  })

  function addresses(): { wasm: { simd128: string }; workerUrl: string } {
    const entry = inBrowser ? 'entry.js' : 'entry-node.mjs'
    return {
      wasm: { simd128: packageFile('wasm/verifier_simd128.wasm').href },
      workerUrl: packageFile(`dist/verifier/worker/${entry}`).href,
    }
  }
})
