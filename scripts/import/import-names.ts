import fs from 'node:fs'
import { isUsername } from '../content/username.ts'
import { UserError } from '../problems/user-error.ts'
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

export type AskedName = {
  /** The name to ask for: of a member that was imported before, the one that the API had then. */
  readonly name: string
  /** The name that was given, or that of the member's folder. */
  readonly here: string
}

/** A file with more lines than this that can't be usernames, and with fewer that can, is no list of names. */
const mostWrong = 100

/** The names to ask for, each once, sorted: those given, else all members that were imported before. */
export const importNames = ({ names, users, content, members }: NameOptions): readonly AskedName[] => {
  const given = [...names, ...(users === undefined ? [] : readUsers(users))]
  if (given.length === 0 && users !== undefined) {
    throw new UserError(`${quote(users)} holds no username`, { hint: 'write one a line' })
  }
  const imported = (here: string): readonly AskedName[] => {
    const { base, text } = readBase(content, here)
    return text === undefined ? [] : [{ name: base?.username ?? here, here }]
  }
  const asked =
    given.length > 0
      ? given.flatMap((here) => (members.has(here) && imported(here)[0]) || { name: here, here })
      : [...members].flatMap(imported)
  if (asked.length === 0) {
    throw new UserError('which members?', {
      hint: 'no member was imported yet: give usernames, or a file of them with --users FILE',
    })
  }
  const byName = new Map(asked.map((one) => [one.name, one]))
  return [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** One name a line; blank lines and comments count nothing. */
const parseNames = (text: string): readonly string[] =>
  text
    .split(/\r\n|\r|\n/)
    .map((line) => line.replace(/(?:^|\s)#.*$/, '').trim())
    .filter((line) => line !== '')

const readUsers = (file: string): readonly string[] => {
  const text = textOf(readBytes(file))
  if (text === undefined) {
    throw new UserError(`${quote(file)} is not a text file in UTF-8`, { hint: 'write one username a line' })
  }
  const names = parseNames(text)
  const wrong = names.filter((name) => !isUsername(name))
  if (wrong.length > mostWrong && wrong.length * 2 > names.length) {
    throw new UserError(
      `${quote(file)} is no list of usernames: ${wrong.length} of its ${names.length} lines can't be one, such as ${quote(wrong[0]!)}`,
      { hint: 'write one username a line' },
    )
  }
  return names
}

const readBytes = (file: string): Uint8Array => {
  try {
    return fs.readFileSync(file === '-' ? 0 : file)
  } catch (cause) {
    throw new UserError(`can't read the usernames from ${quote(file)}`, { cause })
  }
}

const textOf = (bytes: Uint8Array): string | undefined => {
  if (bytes.includes(0)) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}
