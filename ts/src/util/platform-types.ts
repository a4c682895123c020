/**
 * Types of the platform in public declarations. Which of them there are is decided by the `lib` and `types` of the user's own project:
 * `URL` and `AbortSignal` come with DOM, with Node's types, with a worker's, or not at all. Each name here is the platform's own type where
 * the project has it, and what this package needs of such an object where it has not, so that the declarations compile in every project.
 */

/** The instances of a class of the global object, or `Otherwise` where the project's types know no class of that name. */
type InstanceOf<Class extends string, Otherwise> = typeof globalThis extends {
  readonly [name in Class]: { readonly prototype: infer Instance }
}
  ? Instance
  : Otherwise

/** `URL`; elsewhere an object that has its parts. */
export type PlatformUrl = InstanceOf<
  'URL',
  { readonly href: string; readonly protocol: string; readonly searchParams: object }
>

/** `AbortSignal`; elsewhere an object that says whether and why a call is to end, and takes listeners. */
export type PlatformSignal = InstanceOf<
  'AbortSignal',
  {
    readonly aborted: boolean
    readonly reason: unknown
    throwIfAborted(): void
    addEventListener(type: 'abort', listener: () => void, options?: { readonly once?: boolean }): void
    removeEventListener(type: 'abort', listener: () => void): void
  }
>

/** `Request`; elsewhere an object with its address and method. */
export type PlatformRequest = InstanceOf<'Request', { readonly url: string; readonly method: string }>

/** `Response`; elsewhere an object with its status and its body. */
export type PlatformResponse = InstanceOf<
  'Response',
  {
    readonly ok: boolean
    readonly status: number
    readonly headers: { get(name: string): string | null }
    readonly body: object | null
    arrayBuffer(): Promise<ArrayBuffer>
    json(): Promise<unknown>
    text(): Promise<string>
  }
>

/** `WebAssembly.Module`; elsewhere any object that is neither bytes nor an address, since such a module has no properties. */
export type PlatformModule = typeof globalThis extends {
  readonly WebAssembly: { readonly Module: { readonly prototype: infer Module } }
}
  ? Module
  : object

/**
 * What `await using` calls, where the project's `lib` has `Symbol.asyncDispose` (`ESNext.Disposable`, since TypeScript 5.2); elsewhere an
 * object of which nothing more is known.
 */
export type PlatformDisposable = SymbolConstructor extends { readonly asyncDispose: infer Name }
  ? { readonly [name in Name & symbol]: () => Promise<void> }
  : object

/**
 * Bytes in memory of their own: `Uint8Array<ArrayBuffer>`, which `crypto.subtle` and `fetch` take, and plain `Uint8Array` before
 * TypeScript 5.7, where that type has no parameter.
 */
export type ByteArray = ReturnType<Uint8Array['slice']>

/** Bytes in any form: a whole buffer, or a view of one, Node's `Buffer` among them. */
export type BinarySource = ArrayBuffer | ArrayBufferView
