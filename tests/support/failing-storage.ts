/** A light client's storage that fails. */
import type { LightClientStorage } from 'blobcheck/light-client'
import { flip } from './bytes.ts'

/** How it behaves. */
export const storageModes = [
  'works',
  'fails',
  'is silent',
  'throws',
  'flips',
  'cuts',
  'old',
  'junk',
  'forgets',
] as const
export type StorageMode = (typeof storageModes)[number]

/** A storage of one record that fails in the ways in which storages do; `isSpoiled` once something else was read than had been written. */
export class FailingStorage implements LightClientStorage {
  mode: StorageMode = 'works'
  chance = 0
  isSpoiled = false
  wasSilent = false
  #values: Uint8Array[] = []

  async get(): Promise<Uint8Array | null> {
    await this.#fail()
    const value = this.#values.at(-1)
    if (value === undefined || this.mode === 'forgets') return null
    if (this.mode === 'works') return value
    this.isSpoiled = true
    const at = Math.floor(this.chance * value.length)
    if (this.mode === 'flips') return flip(value, at, at % 8)
    if (this.mode === 'cuts') return value.slice(0, at)
    if (this.mode === 'old') return this.#values[0]!
    return [new Uint8Array(500), 'text', 7, {}][at % 4] as Uint8Array
  }

  async set(_key: string, value: Uint8Array): Promise<void> {
    await this.#fail()
    if (this.mode !== 'forgets') this.#values.push(value)
  }

  async delete(): Promise<void> {
    await this.#fail()
    this.#values = []
  }

  #fail(): Promise<void> {
    if (this.mode === 'throws') throw new Error('no')
    if (this.mode === 'fails') return Promise.reject(new Error('full'))
    if (this.mode !== 'is silent') return Promise.resolve()
    this.wasSilent = true
    return new Promise(() => {})
  }
}
