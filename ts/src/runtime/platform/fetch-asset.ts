/** Reading a file of the package by fetch. */
export async function fetchAsset(
  url: URL,
  cache: 'force-cache' | 'reload',
): Promise<Uint8Array<ArrayBuffer>> {
  const response = await fetch(url, { cache })
  if (!response.ok) throw new Error(`${url.href} answered ${response.status}`)
  return new Uint8Array(await response.arrayBuffer())
}
