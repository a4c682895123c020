/** Made by the build (`web-demo/node/plugin.ts`). */
declare module 'virtual:simulated-node' {
  /** The address of a script that answers for the node, in a worker of the page by messages. */
  const address: string
  export default address
}
