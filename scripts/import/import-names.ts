import fs from 'node:fs'
import { UserError } from '../diagnostics/user-error.ts'
import { quote } from '../text/printable.ts'
import { readBase } from './write/base-file.ts'

export type NameOptions = {
  /** From the command line. */
  readonly names: readonly string[]
  /** A file with one name a line; `-` is stdin. */
  readonly users: string | undefined
  /** The content folder, and the members' folders in it. */
  readonly content: string
  readonly members: ReadonlySet<string>
}

/** The names to ask for, each once, sorted: those given, else all members that were imported before. */
export const importNames = ({ names, users, content, members }: NameOptions): readonly string[] => {
  const given = [...names, ...(users === undefined ? [] : parseNames(readUsers(users)))]
  if (given.length > 0) return [...new Set(given)].sort()
  if (users !== undefined)
    throw new UserError(`${quote(users)} holds no username`, { hint: 'write one a line' })
  const imported = [...members].flatMap((username) => {
    const { base, text } = readBase(content, username)
    return text === undefined ? [] : [base?.username ?? username]
  })
  if (imported.length > 0) return [...new Set(imported)].sort()
  throw new UserError('which members?', {
    hint: 'no member was imported yet: give usernames, or a file of them with --users FILE',
  })
}

/** One name a line; blank lines and comments count nothing. */
const parseNames = (text: string): readonly string[] =>
  text
    .replace(/^\ufeff/, '')
    .split(/\r\n|\r|\n/)
    .map((line) => line.replace(/(?:^|\s)#.*$/, '').trim())
    .filter((line) => line !== '')

const readUsers = (file: string): string => {
  try {
    return fs.readFileSync(file === '-' ? 0 : file, 'utf8')
  } catch (cause) {
    throw new UserError(`can't read the usernames from ${quote(file)}`, { cause })
  }
}
