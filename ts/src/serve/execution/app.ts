/** The JSON-RPC of an execution node as an app: `app.fetch(request)` answers in Node, in a page and in a service worker. */
import type { PlatformRequest, PlatformResponse } from '../../util/platform-types.ts'
import { cors, Hono } from '../../vendor/hono.ts'
import { abortableFetch } from '../abortable-fetch.ts'
import { type Chain, checkChain } from '../chain.ts'
import { lyingView } from '../faults/execution.ts'
import { type Fault, type Faults, faultsOf } from '../faults/faults.ts'
import { applyFaults } from '../faults/transport.ts'
import { caughtUp } from '../routes/catch-up.ts'
import { errorAnswered, errorResponse } from '../routes/http.ts'
import {
  type Call,
  codes,
  errorAnswer,
  readCalls,
  resultAnswer,
  type RpcAnswer,
  RpcError,
} from './json-rpc.ts'
import { type MethodName, methodNames } from './method-names.ts'
import { methods } from './methods.ts'
import { viewOf } from './view.ts'

/** What `createExecutionApp` serves, and with which faults. */
export interface ExecutionAppOptions {
  /** The chain whose execution layer is served: of `makeChain`, or of your own. Of `realChain` there is none, and answers are null. */
  readonly chain: Chain
  /** The faults of the server; default: none. They are read at each request, and may be changed between two. */
  readonly faults?: Faults
}

/** What `createExecutionApp` makes. */
export interface ExecutionApp {
  /**
   * Answers a request, whatever the host and the path in its address. It rejects with the reason of the request's signal when that is aborted,
   * and a body that is being read fails with it. It needs no `this`, so that it can be handed on by itself.
   */
  readonly fetch: (request: PlatformRequest) => PlatformResponse | Promise<PlatformResponse>
}

/**
 * Makes the JSON-RPC of an execution node over a chain: an app whose `fetch` takes a `Request` and resolves with a `Response`. It answers
 * about blocks, transactions and receipts, one call in a POST or a batch of them, as viem and ethers ask; `RouteName` has its methods. Block
 * hashes and transaction roots are those of the bytes, and the blocks are those that the beacon blocks of the chain lead to. It opens no
 * port, so that it runs in Node, in a page and in a service worker. What is not there is null; what cannot be answered is an error of
 * JSON-RPC with its code. Throws `TypeError` for what is no chain and no rules of faults. Sources: jsonrpc.org, ethereum/execution-apis.
 *
 * @example
 * ```ts
 * import { createExecutionApp, makeChain } from 'blobcheck/serve'
 *
 * const app = createExecutionApp({ chain: await makeChain({ slots: 8, clock: 'by-hand' }) })
 * const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] })
 * const response = await app.fetch(new Request('http://any/', { method: 'POST', body }))
 * console.log(await response.json()) // { jsonrpc: '2.0', id: 1, result: '0x8' }
 * ```
 */
export function createExecutionApp({ chain, faults = { rules: [] } }: ExecutionAppOptions): ExecutionApp {
  // A test may have made an execution layer alone, and a chain may have none.
  checkChain(chain, ['network'])
  const app = new Hono()
  app.use(cors({ origin: '*', exposeHeaders: ['Retry-After'], allowMethods: ['POST'] }))
  app.use(
    applyFaults(faults, async ({ req }) =>
      req.method === 'POST' ? readCalls(await req.text()).calls.flatMap((call) => nameOf(call) ?? []) : [],
    ),
  )
  app.use(caughtUp(chain))
  app.post('*', async (context) => {
    const { isBatch, calls } = readCalls(await context.req.text())
    const answers = calls.flatMap((call) => answerTo(call, chain, faultsOf(context, nameOf(call))) ?? [])
    // Nobody waits for an answer to a notification.
    if (answers.length === 0) return context.body(null, 204)
    return context.json(isBatch ? answers : answers[0]!)
  })
  app.notFound(() => errorResponse(405, 'JSON-RPC takes POST'))
  app.onError(errorAnswered)
  return { fetch: abortableFetch(app) }
}

/** The method that a call is of; null for one that there is not. */
function nameOf(call: Call | RpcError): MethodName | null {
  return (!(call instanceof RpcError) && methodNames.find((name) => name === call.method)) || null
}

/** Null for a notification. */
function answerTo(call: Call | RpcError, chain: Chain, faults: readonly Fault[]): RpcAnswer | null {
  if (call instanceof RpcError) return errorAnswer(null, call)
  if (!('id' in call)) return null
  const isMistaken = faults.some(({ kind }) => kind === 'wrong-id')
  const id = !isMistaken ? call.id : typeof call.id === 'number' ? call.id + 1 : `${String(call.id)}'`
  try {
    return resultAnswer(id, resultOf(call, chain, faults))
  } catch (error) {
    return errorAnswer(id, error)
  }
}

function resultOf(call: Call, { execution, network }: Chain, faults: readonly Fault[]): unknown {
  for (const fault of faults) {
    if (fault.kind === 'rpc-error')
      throw new RpcError(fault.code, fault.message ?? 'a fault that was asked for')
    if (fault.kind === 'no-result') return null
  }
  const name = nameOf(call)
  if (name === null) throw new RpcError(codes.methodNotFound, `there is no method ${call.method}`)
  if (name === 'web3_clientVersion') return `blobcheck-serve (${network.label})`
  if (name === 'eth_syncing') return false
  if (execution === undefined || execution === null) return null
  const view = lyingView(viewOf(execution), faults)
  return methods[name]({ chainId: execution.chainId, view, params: call.params })
}
