/** This package and other libraries as one thing: what verifies inputs that it was given before. */
import { createVerifier } from 'blobcheck'
import type { BlobBytes, CellBytes } from '../../embedded/items.ts'

/** What is verified in one call. */
export type Input =
  | { readonly kind: 'blobs'; readonly items: readonly BlobBytes[] }
  | { readonly kind: 'cells'; readonly items: readonly CellBytes[] }

export interface Implementation {
  /** Hands inputs over, by name: that is no part of what is measured. */
  keep(inputs: Readonly<Record<string, Input>>): void
  /** Whether all that an input has is valid. Rejects where the library fails. */
  verify(name: string): Promise<boolean>
  /** Ends its threads, whatever they do. */
  dispose(): void
}

/** `workers`: how many; default as many as it chooses. Nothing is remembered from call to call. */
export function openOurs(workers?: number): Implementation {
  const making = createVerifier({
    ...{ network: 'holesky', cache: false },
    ...(workers !== undefined && { workers }),
  })
  making.catch(() => {}) // who verifies is told
  const kept = new Map<string, Input>()
  return {
    keep: (inputs) => Object.entries(inputs).forEach(([name, input]) => kept.set(name, input)),
    async verify(name) {
      const verifier = await making
      const { kind, items } = kept.get(name)!
      const verdicts = await (kind === 'blobs' ? verifier.verifyBlobs(items) : verifier.verifyCells(items))
      return verdicts.every(({ status }) => status === 'valid')
    },
    dispose: () => void making.then((verifier) => verifier.dispose()).catch(() => {}),
  }
}

/** What the worker of a peer answers (`tests/bench/browser/peers/serve.js`). */
type Answer = { readonly answer: unknown } | { readonly failure: string }

/** A library in a worker of its own, by the address of that; it answers one call after the other. */
export function openPeer(address: string): Implementation {
  const worker = new Worker(address, { type: 'module' })
  let broken: Error | null = null
  let settle: { resolve(answer: boolean): void; reject(error: Error): void } | null = null
  worker.addEventListener('message', ({ data }: MessageEvent<Answer>) => {
    // `true` and nothing else: what is merely not false is no verdict.
    if ('answer' in data) settle?.resolve(data.answer === true)
    else settle?.reject(new Error(data.failure))
  })
  worker.addEventListener('error', ({ message }) => {
    broken = new Error(message || 'its worker did not start')
    settle?.reject(broken)
  })
  return {
    keep: (inputs) => worker.postMessage({ keep: mapped(inputs) }),
    verify: (name) =>
      new Promise((resolve, reject) => {
        if (broken !== null) return reject(broken)
        settle = { resolve, reject }
        worker.postMessage({ call: name })
      }),
    dispose: () => worker.terminate(),
  }
}

/** Lists by what they are of, as the functions of the specification take them. */
function mapped(inputs: Readonly<Record<string, Input>>): object {
  const calls = Object.entries(inputs).map(([name, { kind, items }]) => [
    name,
    kind === 'blobs'
      ? { method: 'verifyBlobs', lists: lists(items, 'blob', 'commitment', 'proof') }
      : { method: 'verifyCells', lists: lists(items, 'commitment', 'cellIndex', 'cell', 'proof') },
  ])
  return Object.fromEntries(calls) as object
}

function lists<T>(items: readonly T[], ...fields: readonly (keyof T)[]): T[keyof T][][] {
  return fields.map((field) => items.map((item) => item[field]))
}
