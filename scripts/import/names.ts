import fs from 'node:fs'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { readFile } from '../files/open.ts'
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
  /** The name to ask for: of a member that was imported before, the one that the remote had then. */
  readonly name: string
  /** The name that was given, or that of the member's folder. */
  readonly here: string
  /** The line of `--users` that gives it. */
  readonly place?: Place | undefined
}

type Given = Pick<AskedName, 'here' | 'place'>

/** The most bytes of a list of names: half a million of them. */
const mostBytes = 16 << 20

/** The names to ask for, each once, sorted: those given, else all members that were imported before. */
export const namesToAsk = async ({
  names,
  users,
  content,
  members,
}: NameOptions): Promise<readonly AskedName[]> => {
  const listed = users === undefined ? [] : await readUsers(users)
  const given: readonly Given[] = [...names.map((here) => ({ here })), ...listed]
  if (given.length === 0 && users !== undefined) {
    throw new UserError(`${quote(users)} holds no username`, { hint: 'write one a line' })
  }
  const imported = ({ here, place }: Given): readonly AskedName[] => {
    const { base, text } = readBase(content, here)
    return text === undefined ? [] : [{ name: base?.username ?? here, here, place }]
  }
  const asked =
    given.length > 0
      ? given.flatMap((one) => (members.has(one.here) && imported(one)[0]) || { name: one.here, ...one })
      : [...members].flatMap((here) => imported({ here }))
  if (asked.length === 0) {
    throw new UserError('which members?', {
      hint: 'no member was imported yet: give usernames, or a file of them with --users FILE',
    })
  }
  const byName = new Map(asked.toReversed().map((one) => [one.name, one]))
  return [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** One name a line; blank lines and comments count nothing. */
const readUsers = async (file: string): Promise<readonly Given[]> => {
  const shownFile = file === '-' ? 'stdin' : file
  const text = decode(await readBytes(file))
  if (text === undefined) {
    throw new UserError(`${quote(file)} is not a text file in UTF-8`, { hint: 'write one username a line' })
  }
  return text.split(/\r\n|\r|\n/).flatMap((line, index): readonly Given[] => {
    const here = line.replace(/(?:^|\s)#.*$/, '').trim()
    const column = line.indexOf(here) + 1
    const place = { line: index + 1, column, endLine: index + 1, endColumn: column + here.length }
    return here === '' ? [] : [{ here, place: { file: shownFile, ...place } }]
  })
}

/** Of a pipe or a device nothing is read but from stdin. */
const readBytes = async (name: string): Promise<Uint8Array> => {
  let bytes: Uint8Array | undefined
  try {
    if (name === '-') return await buffer(process.stdin)
    const file = fs.realpathSync(name)
    bytes = readFile(path.dirname(file), path.basename(file), { limit: mostBytes })
  } catch (cause) {
    throw new UserError(`can't read the usernames from ${quote(name)}`, { cause })
  }
  if (bytes !== undefined) return bytes
  throw new UserError(`${quote(name)} is no file, or has more than ${mostBytes} bytes`, {
    hint: 'write one username a line; with --users - they are read from stdin',
  })
}

const decode = (bytes: Uint8Array): string | undefined => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** Where a name was given; of one on the command line, the remote's address. */
export const placeOfName = ({ place }: AskedName, url: string): Place => place ?? { file: url, ...fileStart }
