/** What is used of `@hono/node-server` (MIT): Node's HTTP server for an app that answers with `fetch`. The build puts it into the package. */
export { serve } from '@hono/node-server'
