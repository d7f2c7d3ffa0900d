import { isUtf8 } from 'node:buffer'
import fs from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { fileStart, type Place } from '../problems/diagnostic.ts'
import { UserError } from '../problems/user-error.ts'
import { quote } from '../text/printable.ts'
import { readBase } from './base.ts'
import type { ContentSite } from './content.ts'

export type AskedName = {
  readonly name: string
  /** The line of `--users` that gives it. */
  readonly place?: Place | undefined
}

/**
 * The names to ask for, each once, sorted: those given, else of all members that were imported before the ones that the
 * remote had then. `users` is a file with one name a line; `-` is stdin.
 */
export const namesToAsk = async (
  { names, users }: { readonly names: readonly string[]; readonly users: string | undefined },
  { content, members }: ContentSite,
): Promise<readonly AskedName[]> => {
  const listed = users === undefined ? [] : await readUsers(users)
  const given: readonly AskedName[] = [...names.map((name) => ({ name })), ...listed]
  if (given.length === 0 && users !== undefined) {
    throw new UserError(`${quote(users)} holds no username`, { hint: 'write one a line' })
  }
  const imported = (member: string): readonly AskedName[] => {
    const { base, text } = readBase(content.path, member)
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
  const bytes = await readBytes(file)
  if (!isUtf8(bytes)) {
    throw new UserError(`${quote(file)} is not a text file in UTF-8`, { hint: 'write one username a line' })
  }
  const text = bytes.toString('utf8').replace(/^\ufeff/, '')
  return text.split(/\r\n|\r|\n/).flatMap((said, index): readonly AskedName[] => {
    const name = said.replace(/(?:^|\s)#.*$/, '').trim()
    const line = { line: index + 1, endLine: index + 1 }
    return name === ''
      ? []
      : [{ name, place: { file: file === '-' ? 'stdin' : file, ...fileStart, ...line } }]
  })
}

const readBytes = async (name: string): Promise<Buffer> => {
  try {
    return name === '-' ? await buffer(process.stdin) : fs.readFileSync(name)
  } catch (cause) {
    throw new UserError(`can't read the usernames from ${quote(name)}`, { cause })
  }
}
