import { isUtf8 } from 'node:buffer'
import fs from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { fileStart, type Place } from '../problems/diagnostic.ts'
import { UserError } from '../problems/user-error.ts'
import { quote } from '../text/printable.ts'
import { readBase } from './base.ts'

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
  readonly name: string
  /** The line of `--users` that gives it. */
  readonly place?: Place | undefined
}

/**
 * The names to ask for, each once, sorted: those given, else of all members that were imported before the ones that the
 * remote had then.
 */
export const namesToAsk = async ({
  names,
  users,
  content,
  members,
}: NameOptions): Promise<readonly AskedName[]> => {
  const listed = users === undefined ? [] : await readUsers(users)
  const given: readonly AskedName[] = [...names.map((name) => ({ name })), ...listed]
  if (given.length === 0 && users !== undefined) {
    throw new UserError(`${quote(users)} holds no username`, { hint: 'write one a line' })
  }
  const imported = (member: string): readonly AskedName[] => {
    const { base, text } = readBase(content, member)
    return text === undefined ? [] : [{ name: base?.username ?? member }]
  }
  const asked = given.length > 0 ? given : [...members].flatMap(imported)
  if (asked.length === 0) {
    throw new UserError('which members?', {
      hint: 'no member was imported yet: give usernames, or a file of them with --users FILE',
    })
  }
  const byName = new Map(asked.toReversed().map((one) => [one.name, one]))
  return [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** One name a line; blank lines and comments count nothing. */
const readUsers = async (file: string): Promise<readonly AskedName[]> => {
  const shownFile = file === '-' ? 'stdin' : file
  const bytes = await readBytes(file)
  if (!isUtf8(bytes)) {
    throw new UserError(`${quote(file)} is not a text file in UTF-8`, { hint: 'write one username a line' })
  }
  const lines = bytes
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .split(/\r\n|\r|\n/)
  return lines.flatMap((line, index): readonly AskedName[] => {
    const name = line.replace(/(?:^|\s)#.*$/, '').trim()
    const place = { file: shownFile, ...fileStart, line: index + 1, endLine: index + 1 }
    return name === '' ? [] : [{ name, place }]
  })
}

const readBytes = async (name: string): Promise<Buffer> => {
  try {
    return name === '-' ? await buffer(process.stdin) : fs.readFileSync(name)
  } catch (cause) {
    throw new UserError(`can't read the usernames from ${quote(name)}`, { cause })
  }
}

/** Where a name was given; of one on the command line, the remote's address. */
export const placeOfName = ({ place }: AskedName, url: string): Place => place ?? { file: url, ...fileStart }
