import fs from 'node:fs'
import path from 'node:path'
import { names } from '../content/layout.ts'
import { parse } from '../content/parse/parse.ts'
import { type ContentFolder, scanMember } from '../content/read/scan.ts'
import { readSchema } from '../content/schema.ts'
import { foldUsername } from '../content/username.ts'
import { rename } from '../files/rename.ts'
import { replaceFile } from '../files/write.ts'
import { UserError } from '../problems/user-error.ts'
import { readText, shownPath, unreadable } from './content-files.ts'
import { changeKeys } from './yaml/change-keys.ts'

export type Renaming = {
  readonly content: ContentFolder
  readonly from: string
  readonly to: string
  /** Whether the old name is still to be served. */
  readonly alias: boolean
}

/**
 * Gives a member another name: first the alias, then the folder, so that a rename that was killed between the two is
 * told by `check`, and goes on when it is asked for again. Says every file of the member, below the content folder.
 */
export const renameMember = ({ content, from, to, alias }: Renaming): readonly string[] => {
  const { profile } = scanMember(from, content)
  if (profile === undefined)
    throw new UserError(`"${from}" has no profile.yaml`, { hint: 'add it first: npm run check' })
  const file = `${names.members}/${from}/${profile}`
  const text = readText(content, file)
  if (text === undefined) throw refusal(shownPath(content, file), unreadable)
  const aliases = aliasesIn(text).filter((name) => foldUsername(name) !== foldUsername(to))
  const keeps = alias && !aliases.includes(from) && foldUsername(from) !== foldUsername(to)
  const wanted = keeps ? [...aliases, from] : aliases
  const before = aliasesIn(text)
  if (wanted.join() !== before.join()) {
    const change = { aliases: wanted.length === 0 ? undefined : wanted }
    const edited = changeKeys(text, change, readSchema('profile'))
    if (edited.refused !== undefined) throw refusal(shownPath(content, file), edited.refused)
    replaceFile(content.path, file, edited.text, { durable: true })
  }
  const folder = path.join(content.path, names.members, to)
  rename(path.join(content.path, names.members, from), folder)
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      path.relative(content.path, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'),
    )
    .sort()
}

const aliasesIn = (text: string): readonly string[] => {
  const { data } = parse({ file: '', text: text.replace(/^\ufeff/, '') })
  const aliases =
    typeof data === 'object' && !Array.isArray(data) ? (data as { aliases?: unknown }).aliases : undefined
  return Array.isArray(aliases) ? aliases.filter((name) => typeof name === 'string') : []
}

const refusal = (file: string, reason: string): UserError =>
  new UserError(`${file} can't be edited: ${reason}`, {
    hint: 'npm run check says what is wrong; or edit it by hand',
  })
