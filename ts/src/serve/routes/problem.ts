/** What the Beacon API answers where it has nothing to say. */
import { HTTPException } from 'hono/http-exception'

type Code = 400 | 404 | 406 | 429 | 500 | 503

/** The body `{ code, message }` with its status. */
export function problem(
  code: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return new Response(JSON.stringify({ code, message }), {
    status: code,
    headers: { 'content-type': 'application/json', ...headers },
  })
}

/** Ends a handler with such an answer. */
export class Problem extends HTTPException {
  constructor(code: Code, message: string) {
    super(code, { message, res: problem(code, message) })
  }
}
