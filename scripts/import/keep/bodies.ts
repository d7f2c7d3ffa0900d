import { hash } from 'node:crypto'
import fs from 'node:fs'
import { openFile } from '../../files/open.ts'
import { openToAdd } from '../../files/write.ts'

/** Raw bodies, one after another in a file that is only added to. */
export type Bodies = {
  /** The bytes of a body; `undefined` if they are missing, or have changed. */
  readonly body: (name: string) => Uint8Array | undefined
  /** Keeps a body, and says its name. One that is the same as `before` keeps that name. */
  readonly putBody: (bytes: Uint8Array, before: string | undefined) => string
  readonly close: () => void
}

/** The most bytes of a body that are read; content takes 1 MiB a file. */
export const bodyLimit = 8 << 20

/**
 * Opens the file below a trusted folder; it is made, and written to, when the first body comes. A body's name is its
 * sha256, where it begins, and its length in bytes.
 */
export const openBodies = (root: string, below: string): Bodies => {
  const toRead = openFile(root, below)
  let toAdd: { readonly file: number; size: number } | undefined
  const append = (bytes: Uint8Array): number => {
    toAdd ??= open(root, below)
    const { file, size: at } = toAdd
    fs.writeFileSync(file, bytes)
    toAdd.size = fs.fstatSync(file).size
    // else another import adds to it as well
    return toAdd.size === at + bytes.length ? at : append(bytes)
  }
  const body = (name: string): Uint8Array | undefined => {
    const file = toAdd?.file ?? toRead
    const [, digest, at, length] = form.exec(name) ?? []
    if (file === undefined || digest === undefined) return undefined
    const bytes = Buffer.allocUnsafe(Number(length))
    const count = fs.readSync(file, bytes, 0, bytes.length, Number(at))
    return count === bytes.length && hash('sha256', bytes) === digest ? bytes : undefined
  }
  return {
    body,
    putBody: (bytes, before) => {
      const digest = hash('sha256', bytes)
      if (before?.startsWith(digest) && body(before) !== undefined) return before
      return `${digest} ${append(bytes)} ${bytes.length}`
    },
    close: () => {
      for (const file of [toRead, toAdd?.file]) if (file !== undefined) fs.closeSync(file)
    },
  }
}

const open = (root: string, below: string): { readonly file: number; size: number } => {
  const file = openToAdd(root, below)
  return { file, size: fs.fstatSync(file).size }
}

const form = /^([0-9a-f]{64}) (\d{1,15}) (\d{1,7})$/
