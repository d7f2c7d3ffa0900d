import fs from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { fileStart, type Place, UserError } from '../problems/diagnostic.ts'
import { compareText } from '../text/order.ts'
import { quote } from '../text/printable.ts'
import { readBase } from './base.ts'
import type { ContentSite } from './content.ts'
import type { ImportOptions } from './run.ts'

/** A name to ask for, and the line of `--users` that gives it. */
export type AskedName = { readonly name: string; readonly place?: Place }

/**
 * The names to ask for, each once, sorted: those given, else of all members that were
 * imported before the ones that the remote had then.
 */
export const namesToAsk = async (
  { names, users }: ImportOptions,
  { content, members }: ContentSite,
): Promise<readonly AskedName[]> => {
  const asked: AskedName[] = names.map((name) => ({ name }))
  if (users !== undefined) {
    for (const one of await readUsers(users)) asked.push(one)
  } else if (names.length === 0) {
    for (const member of members) {
      const { base, baseText } = readBase(content, member)
      if (baseText !== undefined) asked.push({ name: base.username || member })
    }
  }
  if (asked.length === 0)
    throw new UserError(
      users ? `there is no username in ${quote(users)}` : 'which members?',
      {
        hint: 'give usernames, or a file with one a line (--users FILE); without any, those imported before are asked for',
      },
    )
  const byName = new Map(asked.toReversed().map((one) => [one.name, one]))
  return [...byName.values()].sort((a, b) => compareText(a.name, b.name))
}

/** One name a line; blank lines and comments count nothing. */
const readUsers = async (users: string): Promise<readonly AskedName[]> => {
  let text: string
  try {
    const bytes = users === '-' ? await buffer(process.stdin) : fs.readFileSync(users)
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    const hint = 'it has to be a text file in UTF-8 with one username a line'
    throw new UserError(`can't read the usernames from ${quote(users)}`, { hint, cause })
  }
  const file = users === '-' ? 'stdin' : users
  return text
    .split(/\r\n?|\n/)
    .map((line, index) => ({
      name: line.replace(/(?:^|\s)#.*/s, '').trim(),
      place: { file, ...fileStart, line: index + 1, endLine: index + 1 },
    }))
    .filter(({ name }) => name !== '')
}
