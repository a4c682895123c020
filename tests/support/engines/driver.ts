/** What a test does with a page, in whichever engine: the same functions for Chromium, Firefox and WebKit. */

/** What is handed to a function that runs in the page. */
export type Argument = string | number | boolean | null

/** A function that runs in the page: it is sent there as text, so it uses what is of the page, and its arguments. */
export type PageFunction<Arguments extends readonly Argument[], Result> = (
  ...given: Arguments
) => Result | Promise<Result>

/** The call of a function in the page, as text. */
export function callOf(called: PageFunction<never, unknown>, given: readonly Argument[]): string {
  return `(${String(called)})(...${JSON.stringify(given)})`
}

/** Keys by the names that `KeyboardEvent.key` has for them. */
export type Key =
  | 'Tab'
  | 'Enter'
  | 'Escape'
  | 'ArrowLeft'
  | 'ArrowRight'
  | 'ArrowUp'
  | 'ArrowDown'
  | 'Home'
  | 'End'

/** As for other tests of the page: a machine may do everything else besides. */
const PATIENCE_MS = 240_000
const POLL_MS = 25

/** One page of a browser of its own, which starts without any past: no cache, no IndexedDB. */
export abstract class Driver {
  /** Goes to an address; resolves when it has loaded. */
  abstract open(url: string): Promise<void>

  /** Loads the page once more. */
  abstract reload(): Promise<void>

  /** Runs a function in the page; its result, or that of its promise, comes back as JSON has it. */
  abstract evaluate<Arguments extends readonly Argument[], Result>(
    read: PageFunction<Arguments, Result>,
    ...given: Arguments
  ): Promise<Result>

  /** Presses the pointer in the middle of the element that a function finds, which may be in a shadow tree. Rejects where there is none. */
  abstract click<Arguments extends readonly Argument[]>(
    find: PageFunction<Arguments, Element | null | undefined>,
    ...given: Arguments
  ): Promise<void>

  /** Presses a key and lets it go, wherever the focus is. */
  abstract press(key: Key): Promise<void>

  /** What is in view, as PNG. */
  abstract screenshot(): Promise<Uint8Array>

  /** What the browser has complained about since it was started, as far as it tells: errors, warnings, violations of the page's policy. */
  abstract complaints(): Promise<readonly string[]>

  /** Ends the browser, whatever it is doing, and removes what it has written. */
  abstract close(): Promise<void>

  /** Waits until a function answers yes in the page. Rejects after four minutes, with the function. */
  async waitFor<Arguments extends readonly Argument[]>(
    holds: PageFunction<Arguments, unknown>,
    ...given: Arguments
  ): Promise<void> {
    const since = performance.now()
    while (!(await this.evaluate(holds, ...given))) {
      if (performance.now() - since > PATIENCE_MS)
        throw new Error(`it did not become so: ${String(holds)} of ${JSON.stringify(given)}`)
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    }
  }
}
