/** The page's address, which names what is shown, so that a link shows it. */

/** Changes the parameters, without an entry in the browser's history. */
export function changeAddress(change: (params: URLSearchParams) => void): void {
  const address = new URL(location.href)
  change(address.searchParams)
  try {
    history.replaceState(null, '', address)
  } catch {
    // WebKit refuses this after 100 times in ten seconds: an address that is behind is better than a page that is.
  }
}
