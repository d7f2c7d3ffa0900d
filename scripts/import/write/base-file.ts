import { names } from '../../content/layout.ts'
import { findEntry } from '../../files/folder.ts'
import { readFile } from '../../files/open.ts'
import { type Base, baseFile, parseBase } from '../merge/base.ts'

/** The most bytes of an import.json that are read: an archive of some 10,000 shots. */
const limit = 16 << 20

/** Path of a member's import.json below the content folder. */
export const basePath = (username: string): string => `${names.members}/${username}/${baseFile}`

export type ReadBase = {
  readonly base: Base | undefined
  readonly text: string | undefined
  readonly wrong: boolean
}

export const noBase: ReadBase = { base: undefined, text: undefined, wrong: false }

/** Reads what the API said of a member last; nothing if there is no file. */
export const readBase = (content: string, username: string): ReadBase => {
  const path = basePath(username)
  const text = readFile(content, path, { limit })?.toString('utf8')
  if (text === undefined && findEntry(content, path) === undefined) return noBase
  const base = text === undefined ? undefined : parseBase(text)
  return { base, text, wrong: base === undefined }
}
