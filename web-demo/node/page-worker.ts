/** The simulated node in a worker of the page: what a service worker does elsewhere, by messages. */
/// <reference lib="webworker" />
import { errorMessage } from '../src/shared/error-message.ts'
import type { FromAnswer, ToAnswer, ToNode } from '../src/panels/simulated/messages.ts'
import { Responder, type Store } from '../src/panels/simulated/responder.ts'

const kept = new Map<string, Uint8Array<ArrayBuffer>>()
/** Whoever ends this worker wants no more of its chains. */
const store: Store = {
  read: (name) => Promise.resolve(kept.get(name) ?? null),
  write: (name, bytes) => Promise.resolve(void kept.set(name, bytes)),
}
const responder = new Responder(store)

export function answerMessages(): void {
  self.addEventListener('message', ({ data, ports }: MessageEvent<ToNode>) => void answer(data, ports[0]!))
}

/** Answers one request, part by part as the page takes them: what breaks off or drips does so there, too. */
async function answer({ path, method, headers, body }: ToNode, port: MessagePort): Promise<void> {
  const controller = new AbortController()
  const say = (message: FromAnswer, transfer: Transferable[] = []): void =>
    port.postMessage(message, transfer)
  let reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>> | undefined
  port.onmessage = ({ data }: MessageEvent<ToAnswer>): void => {
    if (data === 'next') return void next()
    controller.abort()
    reader?.cancel().catch(() => {})
    port.close()
  }
  async function next(): Promise<void> {
    try {
      const { done, value } = (await reader?.read()) ?? { done: true, value: undefined }
      if (done) say({ kind: 'end' })
      else {
        // Of its own: the answer may be a view of bytes that the chain keeps.
        const bytes = value.slice()
        say({ kind: 'part', bytes }, [bytes.buffer])
      }
    } catch (error) {
      say({ kind: 'broken', why: errorMessage(error) })
    }
  }
  try {
    const request = new Request('http://simulated.invalid', {
      ...{ method, headers, body },
      signal: controller.signal,
    })
    const response = await responder.answer(request, path)
    reader = response.body?.getReader()
    say({ kind: 'head', status: response.status, headers: [...response.headers] })
  } catch (error) {
    say({ kind: 'broken', why: errorMessage(error) })
  }
}
