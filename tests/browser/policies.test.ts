/** Pages whose Content-Security-Policy forbids something: they verify without it and say so, or say what the policy lacks. */
import { createVerifier, type Warning } from 'blobcheck'
import { afterEach, describe, expect, it } from 'vitest'
import inline from '../../dist/inline/index.js?raw'
import worker from '../../dist/verifier/worker/entry.js?raw'
import { engineHere } from '../support/engine-name.ts'
import { makeBadBlob, makeBlob } from '../support/make.ts'
import { trapWorker } from '../support/threads.ts'

interface Outcome {
  readonly statuses: readonly string[]
  readonly workers: number
  readonly warnings: readonly Warning[]
}

interface Thrown {
  readonly name: string
  readonly message: string
}

let frame: HTMLIFrameElement | undefined
afterEach(() => frame?.remove())

/** What a page comes to under a policy, with so many workers, or as many as it likes. */
async function underPolicy(policy: string, workers?: number): Promise<Outcome | Thrown> {
  const script = new URL('policy-page.js', trapWorker({}))
  if (workers !== undefined) script.searchParams.set('workers', String(workers))
  frame = document.createElement('iframe')
  // To Firefox, a document without an address is of no origin that 'self' could name.
  const named = policy.replaceAll("'self'", location.origin)
  frame.srcdoc = `<!doctype html><meta http-equiv="Content-Security-Policy" content="${named}">
    <script type="module" src="${script.href}"></script>`
  return await new Promise((resolve) => {
    const listener = ({ source, data }: MessageEvent<Outcome | Thrown>): void => {
      if (source !== frame?.contentWindow) return
      removeEventListener('message', listener)
      resolve(data)
    }
    addEventListener('message', listener)
    document.body.append(frame!)
  })
}

const right = { statuses: ['valid', 'invalid'] }
/** What verifying takes, as the documentation has it. */
const enough = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'"

describe('a policy', () => {
  it('that allows scripts and workers of the origin, its files, and WebAssembly, is enough', async () => {
    expect(await underPolicy(`${enough}; worker-src 'self'`, 2)).toEqual({
      ...right,
      workers: 2,
      warnings: [],
    })
  })

  it('that forbids WebAssembly is named, with what it lacks', async () => {
    const forbids = "script-src 'self'; worker-src 'self'"
    const named = {
      name: 'WasmUnavailableError',
      message: expect.stringMatching(
        /Content.Security.Policy.*'wasm-unsafe-eval'|'wasm-unsafe-eval'.*Content Security Policy/,
      ) as string,
    }
    expect(await underPolicy(forbids, 0)).toEqual(named)
    // WebKit forbids instances and not modules, and workers have the policy of their own files.
    expect(await underPolicy(forbids, 1)).toEqual(
      engineHere.startsWith('WebKit') ? { ...right, workers: 1, warnings: [] } : named,
    )
  })

  it('that forbids workers has the page compute, which is told', async () => {
    expect(await underPolicy(`${enough}; worker-src 'none'`)).toEqual({
      ...right,
      workers: 0,
      warnings: [
        { code: 'no-workers', message: expect.stringMatching(/^no worker could be started/) as string },
      ],
    })
  })

  it('that forbids workers which were asked for is an error that says so', async () => {
    expect(await underPolicy(`${enough}; worker-src 'none'`, 2)).toEqual({
      name: 'WasmUnavailableError',
      message: expect.stringMatching(/^no worker could be started: /) as string,
    })
  })

  it('that wants trusted types has the page compute, where the engine knows them, which is told', async () => {
    const outcome = await underPolicy(`${enough}; worker-src 'self'; require-trusted-types-for 'script'`)
    expect(outcome).toMatchObject(right)
    const { workers, warnings } = outcome as Outcome
    const isKnown = 'trustedTypes' in globalThis
    expect([workers > 0, warnings.map(({ code }) => code)]).toEqual(
      isKnown ? [false, ['no-workers']] : [true, []],
    )
    if (isKnown)
      expect(warnings[0]!.message).toMatch(/\. Add a trusted types policy 'default', or ask for no workers/)
  })

  it('that forbids the files of the package is an error that names them, and what helps', async () => {
    expect(
      await underPolicy("script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'none'"),
    ).toEqual({
      name: 'WasmUnavailableError',
      message: expect.stringMatching(/module could not be loaded: .*blobcheck\/inline/) as string,
    })
  })
})

/** A page of no origin, which gets `blobcheck/inline` as text, since it may load nothing, and verifies what it is told to. */
const ofNoOrigin = `<!doctype html><script type="module">
  onmessage = async ({ data: { code, items } }) => {
    const verify = async () => {
      const { createVerifier } = await import(URL.createObjectURL(new Blob([code], { type: 'text/javascript' })))
      const verifier = await createVerifier({ cache: false })
      const verdicts = await verifier.verifyBlobs(items)
      await verifier.dispose()
      return { statuses: verdicts.map(({ status }) => status), hasWorkers: verifier.workers > 0, origin }
    }
    parent.postMessage(await verify().catch(({ name, message }) => ({ name, message })), '*')
  }
  parent.postMessage('ready', '*')
</script>`

it('a sandbox, which refuses Web Locks, has its workers all the same', async () => {
  frame = document.createElement('iframe')
  frame.sandbox.add('allow-scripts')
  frame.srcdoc = ofNoOrigin
  const answer = await new Promise((resolve) => {
    const listener = ({ source, data }: MessageEvent<unknown>): void => {
      if (source !== frame?.contentWindow) return
      if (data === 'ready') {
        frame!.contentWindow!.postMessage({ code: inline, items: [makeBlob(1), makeBadBlob(2)] }, '*')
        return
      }
      removeEventListener('message', listener)
      resolve(data)
    }
    addEventListener('message', listener)
    document.body.append(frame!)
  })
  expect(answer).toEqual({ ...right, hasWorkers: true, origin: 'null' })
})

it('a worker from a data: URL, which is refused Web Locks where its page is not, verifies all the same', async () => {
  const warnings: Warning[] = []
  const verifier = await createVerifier({
    ...{ cache: false, workers: 1, onWarning: (warning) => warnings.push(warning) },
    workerUrl: `data:text/javascript,${encodeURIComponent(worker)}`,
  })
  for (let round = 0; round < 2; round++) {
    const verdicts = await verifier.verifyBlobs([makeBlob(1), makeBadBlob(2)])
    expect(verdicts.map(({ status }) => status)).toEqual(right.statuses)
  }
  expect([verifier.workers, verifier.stats().crashes, warnings]).toEqual([1, 0, []])
  await verifier.dispose()
})

it('a script of another origin is imported by workers of the page’s own', async () => {
  const workerUrl = trapWorker({})
  workerUrl.hostname = location.hostname === 'localhost' ? '127.0.0.1' : 'localhost'
  const warnings: Warning[] = []
  const verifier = await createVerifier({
    ...{ cache: false, workerUrl, onWarning: (warning) => warnings.push(warning) },
  })
  const verdicts = await verifier.verifyBlobs([makeBlob(1), makeBadBlob(2)])
  expect(verdicts.map(({ status }) => status)).toEqual(right.statuses)
  expect([workerUrl.origin === origin, verifier.workers > 0, warnings]).toEqual([false, true, []])
  await verifier.dispose()
})
