/** What commands say of files and folders that cannot be used, and how a small file is read while options are. */
import { closeSync, openSync, readSync } from 'node:fs'
import { access, constants, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { UsageError } from './command.ts'

type Use = 'read' | 'written'

const reasons: Readonly<Record<string, (use: Use) => string>> = {
  ENOENT: (use) => (use === 'read' ? 'there is no such file' : 'the folder that it is to be in is not there'),
  EACCES: (use) => `it may not be ${use} (permissions)`,
  EPERM: (use) => `it may not be ${use} (permissions)`,
  EISDIR: () => 'it is a folder',
  ENOTDIR: () => 'a part of its path is no folder',
  ELOOP: () => 'its links lead round in a circle',
  ENAMETOOLONG: () => 'its name is too long',
  EROFS: () => 'nothing can be written where it is',
  ENOSPC: () => 'there is no room left where it is',
}

/** Why the file system refuses a file; null where it is not known to have done so. */
export function fileReason(error: unknown, use: Use): string | null {
  const { code } = Object(error) as NodeJS.ErrnoException
  return (typeof code === 'string' ? reasons[code]?.(use) : undefined) ?? null
}

/** Why a file could not be written, in Node's words where it is none of the usual reasons; null where it was not the file system that kept it from being so. */
export function unwrittenReason(error: unknown): string | null {
  const { syscall, message } = Object(error) as NodeJS.ErrnoException
  return syscall === undefined ? null : (fileReason(error, 'written') ?? message)
}

/** What keeps a file from being written that an option names: a `UsageError` that names both where it is the file system, else the error itself. */
export function fileFault(error: unknown, option: string, path: string): unknown {
  const reason = unwrittenReason(error)
  return reason === null ? error : new UsageError(`${option} ${path}: ${reason}`, { cause: error })
}

/** Why no folder can be at this path, or nothing can be written to it, as a sentence; null where it can. */
export async function folderFault(folder: string): Promise<string | null> {
  for (let path = resolve(folder); ; path = dirname(path)) {
    const found = await stat(path).catch(() => null)
    if (found === null && path !== dirname(path)) continue
    if (!found?.isDirectory()) return `${path} is no folder`
    const isWritable = await access(path, constants.W_OK).then(
      () => true,
      () => false,
    )
    return isWritable ? null : `nothing can be written to ${path}`
  }
}

/**
 * Throws `UsageError` where no folder can be at this path, or nothing can be written to it: before all the work, not after it. `advice` is what
 * can be done about it.
 */
export async function refuseFolder(folder: string, option: string, advice?: string): Promise<void> {
  if (folder === '') throw new UsageError(`${option}: the name of a folder is empty`)
  const fault = await folderFault(folder)
  if (fault === null) return
  throw new UsageError(`${option} ${folder}: ${fault}${advice === undefined ? '' : ` (${advice})`}`)
}

/**
 * The bytes of a file, which may be a pipe or a device: no more than `most` of them, and one, are read. Null where there are more. Throws Node's
 * error. It waits, as what reads options has to: what can be asked for later is read by `readInput`.
 */
export function readAtMost(path: string, most: number): Uint8Array<ArrayBuffer> | null {
  const file = openSync(path, 'r')
  try {
    const bytes = new Uint8Array(most + 1)
    let length = 0
    for (let read = -1; read !== 0 && length <= most; length += read)
      read = readSync(file, bytes, length, bytes.length - length, null)
    return length > most ? null : bytes.subarray(0, length)
  } finally {
    closeSync(file)
  }
}
