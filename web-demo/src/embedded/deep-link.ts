/** The address of the page names what is broken, so that a link shows it: `?slot=1409759&break=proof&blob=2`. */
import { breakNamed, type BreakName } from './breaking.ts'

export interface DeepLink {
  readonly slot: string | null
  readonly broken: BreakName | null
  readonly blob: number
}

export function deepLink(): DeepLink {
  const parameters = new URLSearchParams(location.search)
  const blob = Number(parameters.get('blob') ?? 0)
  return {
    slot: parameters.get('slot'),
    broken: breakNamed(parameters.get('break')) ?? null,
    blob: Number.isInteger(blob) && blob >= 0 ? blob : 0,
  }
}

/** Null: nothing is broken. What else the address says stays. */
export function showInAddress(change: { readonly broken: BreakName; readonly blob: number } | null): void {
  const address = new URL(location.href)
  for (const name of ['break', 'blob']) address.searchParams.delete(name)
  if (change !== null) {
    address.searchParams.set('break', change.broken)
    address.searchParams.set('blob', String(change.blob))
  }
  history.replaceState(null, '', address)
}
