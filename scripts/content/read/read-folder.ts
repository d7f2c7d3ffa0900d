import { hash } from 'node:crypto'
import fs from 'node:fs'
import { sizeLimit } from '../layout.ts'
import { createHold } from './inside.ts'
import { createReader, type Read, withoutMark } from './read-file.ts'
import type { ContentFolder } from './scan.ts'

/** Opens a folder of the content, given below the content folder, to read several of its files. */
export type OpenFolder = (below: string) => OpenedFolder

export type OpenedFolder = {
  /** Reads a file that was listed with this size. */
  readonly read: (name: string, size: number) => Read
  readonly close: () => void
}

/**
 * Reads as {@link createReader} does, at half the cost: the folder, not each file, is proved to lie inside the content,
 * and a file takes one call. It leaves everything unusual to that reader.
 */
export const createOpenFolder = ({ path, name: content }: ContentFolder): OpenFolder => {
  const reader = createReader(path)
  const hold = createHold(path)
  return (below) => {
    const folder = hold(`${path}/${below}`)
    return {
      read: (name, size) => {
        const text = folder && size <= sizeLimit ? quickText(`${folder.path}/${name}`) : undefined
        const bytes = text === undefined ? 0 : Buffer.byteLength(text)
        const file = `${content}/${below}/${name}`
        // it may have grown since it was listed
        if (text === undefined || bytes > sizeLimit) return reader(`${path}/${below}/${name}`, file)
        const oid = hash('sha1', `blob ${bytes}\0${text}`)
        return { oid, source: { file, text: withoutMark(text) } }
      },
      close: () => folder?.release(),
    }
  }
}

/** The text of a file; `undefined` if it can't be read, or may be no UTF-8. */
const quickText = (path: string): string | undefined => {
  try {
    const text = fs.readFileSync(path, options)
    return text.includes('\ufffd') ? undefined : text
  } catch {
    return undefined
  }
}

const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = fs.constants

// a flag may be a number, which the types don't know
const options = { encoding: 'utf8', flag: (O_RDONLY | O_NOFOLLOW | O_NONBLOCK) as unknown as string } as const
