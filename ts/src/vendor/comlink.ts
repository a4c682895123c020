/** What is used of Comlink (Apache-2.0): calls to workers that read like calls. The build puts it into the package (scripts/bundle-vendor.mjs). */
export { expose, releaseProxy, transfer, wrap } from 'comlink'
export type { Endpoint, Remote } from 'comlink'
