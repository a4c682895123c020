/** A page as a Hono app. Paths are looked up in what was read, and never lead to a file. */
import { Hono } from 'hono'
import type { Page } from './page.ts'

export function pageApp(page: Page): Hono {
  const app = new Hono()
  app.use(async (c, next) => {
    c.header('X-Content-Type-Options', 'nosniff')
    await next()
  })
  // HEAD, too: Hono answers it as it does GET, without the body.
  app.get('*', (c) => {
    const file = page.get(c.req.path)
    if (file === undefined) return c.text('Not Found', 404)
    return c.body(file.bytes, 200, {
      'Content-Type': file.contentType,
      'Content-Length': String(file.bytes.length),
      'Cache-Control': file.immutable ? 'public, max-age=31536000, immutable' : 'no-cache',
    })
  })
  app.all('*', (c) => c.text('Method Not Allowed', 405, { Allow: 'GET, HEAD' }))
  return app
}
