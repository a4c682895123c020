/** What is used of Hono (MIT), which routes requests. The build puts it into the package (scripts/bundle-vendor.mjs). */
export { Hono } from 'hono'
export type { Context, MiddlewareHandler } from 'hono'
export { cors } from 'hono/cors'
export { HTTPException } from 'hono/http-exception'
export { streamSSE } from 'hono/streaming'
export { getPath } from 'hono/utils/url'
