/** The ways in which a beacon endpoint can be bad, each as what it makes of an honest answer. */
import type { FailureKind } from 'blobcheck/light-client'
import { type Manner, plainly } from './beacon-server.ts'
import { concat } from './bytes.ts'

const bytesOf = (body: Uint8Array | string): Uint8Array =>
  typeof body === 'string' ? new TextEncoder().encode(body) : body

const status =
  (code: number, headers: Readonly<Record<string, string>> = {}): Manner =>
  (_said, _request, response) =>
    void response.writeHead(code, headers).end('{"code":0,"message":"no"}')

/** A manner, and what it is to be called in a report. */
export interface BadManner {
  readonly manner: Manner
  readonly kind: FailureKind
}

export const badManners: Readonly<Record<string, BadManner>> = {
  'never answers': { manner: () => {}, kind: 'timeout' },
  'drips for ever': {
    manner: (_said, _request, response) => {
      response.writeHead(200, { 'content-type': 'application/octet-stream' })
      const drip = setInterval(() => response.write('.'), 20)
      response.on('close', () => clearInterval(drip))
    },
    kind: 'timeout',
  },
  'closes the connection at once': {
    manner: (_said, request) => void request.socket.destroy(),
    kind: 'network',
  },
  'breaks off in the middle': {
    manner: ({ headers = {}, body }, _request, response) => {
      const bytes = bytesOf(body)
      response.writeHead(200, { ...headers, 'content-length': String(bytes.length) })
      response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy())
    },
    kind: 'truncated',
  },
  'answers with nothing': {
    manner: ({ headers = {} }, _request, response) => void response.writeHead(200, headers).end(),
    kind: 'malformed',
  },
  'answers with no content': {
    manner: (_said, _request, response) => void response.writeHead(204).end(),
    kind: 'malformed',
  },
  'answers with nothing of no type': {
    manner: (_said, _request, response) => void response.writeHead(200).end(),
    kind: 'malformed',
  },
  'answers without end': {
    manner: (_said, _request, response) => {
      response.writeHead(200, { 'content-type': 'application/octet-stream' })
      const more = (): void => {
        while (!response.destroyed && response.write(new Uint8Array(65_536)));
      }
      response.on('drain', more)
      more()
    },
    kind: 'too-large',
  },
  'declares a huge answer': {
    manner: (_said, _request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '99999999999' })
      response.flushHeaders()
    },
    kind: 'too-large',
  },
  'knows nothing': { manner: status(404), kind: 'not-found' },
  'has no such route': { manner: status(501), kind: 'no-route' },
  'fails inside': { manner: status(500), kind: 'server-error' },
  'is overloaded': { manner: status(503, { 'retry-after': '60' }), kind: 'server-error' },
  'limits rates': { manner: status(429), kind: 'rate-limited' },
  'wants a key': { manner: status(401), kind: 'refused' },
  'accepts no form at all': { manner: status(406), kind: 'refused' },
  'answers with a page': {
    manner: (_said, _request, response) =>
      void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Welcome</html>'),
    kind: 'malformed',
  },
  'answers with noise': {
    manner: (_said, _request, response) =>
      void response
        .writeHead(200, { 'content-type': 'application/octet-stream', 'eth-consensus-version': 'electra' })
        .end(new Uint8Array(30_000).fill(0xa7)),
    kind: 'malformed',
  },
  'answers with half of JSON': {
    manner: (_said, _request, response) =>
      void response.writeHead(200, { 'content-type': 'application/json' }).end('{"version":"electra","da'),
    kind: 'malformed',
  },
  'answers with nested JSON': {
    manner: (_said, _request, response) =>
      void response.writeHead(200, { 'content-type': 'application/json' }).end('['.repeat(15_000)),
    kind: 'malformed',
  },
  'answers with JSON of something else': {
    manner: (_said, _request, response) =>
      void response
        .writeHead(200, { 'content-type': 'application/json' })
        .end('{"version":"electra","data":{"header":[],"attested_header":1}}'),
    kind: 'malformed',
  },
  'names a fork of the future': {
    manner: ({ body, headers = {} }, _request, response) =>
      void response.writeHead(200, { ...headers, 'eth-consensus-version': 'heze' }).end(body),
    kind: 'unsupported-fork',
  },
  'adds a byte to everything': {
    manner: ({ body, headers = {} }, _request, response) =>
      void response.writeHead(200, headers).end(concat(bytesOf(body), Uint8Array.of(0))),
    // It becomes part of an execution header, which is not the block's any more.
    kind: 'invalid',
  },
}

/** A server that speaks JSON alone, and says so with a status. */
export const jsonOnly =
  (code: 406 | 415): Manner =>
  (said, request, response) =>
    request.headers.accept?.includes('octet-stream')
      ? void response.writeHead(code).end()
      : plainly(said, request, response)
