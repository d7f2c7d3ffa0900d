import fs from 'node:fs'
import path from 'node:path'
import { names } from '../content/layout.ts'
import type { Loader } from '../content/load.ts'
import type { Data } from '../content/parse/data.ts'
import { type ContentFolder, listMembers } from '../content/read/scan.ts'
import { readSchema, type SchemaName, schemasBeside } from '../content/schema.ts'
import type { Site } from '../content/site.ts'
import { foldUsername, isUsername, reserves } from '../content/username.ts'
import { makeFolder } from '../files/folder.ts'
import { createFile } from '../files/write.ts'
import { UserError } from '../problems/user-error.ts'
import { quote } from '../text/printable.ts'
import { suggest } from '../text/suggest.ts'
import type { Taken } from './ids.ts'
import { writeNewFile } from './yaml/new-file.ts'

/** What a new file is to say, by key. */
export type Values = Readonly<Record<string, Data | undefined>>

export type AddOptions = {
  readonly content: ContentFolder
  readonly site: Site | undefined
  readonly loader: Loader
  readonly taken: Taken
}

/** Refuses a name that can't be a username, and one that is taken or reserved. */
export const requireFreeName = (name: string, { site, taken }: Pick<AddOptions, 'site' | 'taken'>): void => {
  if (!isUsername(name)) {
    throw new UserError(`${quote(name)} can't be a username`, {
      hint: 'use 1 to 64 of A-Z a-z 0-9 . _ -, beginning and ending with a letter or digit, and no device name such as con',
    })
  }
  if (reserves(site?.reserved ?? [])(name))
    throw new UserError(`the name ${quote(name)} is reserved in site.yaml`, { answer: true })
  const holder = taken.names.get(foldUsername(name))
  if (holder !== undefined)
    throw new UserError(`the name ${quote(name)} is taken: ${holder}`, { answer: true })
}

/** The member's folder as it is spelt; a name that is nobody's is refused. */
export const requireMember = (username: string, content: ContentFolder): string => {
  const { members } = listMembers(content)
  if (members.includes(username)) return username
  const near = suggest(username, members)
  throw new UserError(`there is no member ${quote(username)}`, {
    hint: near
      ? `did you mean ${near}?`
      : `make one with: npm run new -- member ${isUsername(username) ? username : 'NAME'}`,
  })
}

/** Writes a new profile; says its path below the content folder. */
export const addMember = (username: string, values: Values, options: AddOptions): string => {
  const below = `${names.members}/${username}/${names.profile}.yaml`
  const text = written('profile', below, { values, ...options })
  if (holdsSomething(path.join(options.content.path, names.members, username))) {
    throw new UserError(`the folder ${options.content.name}/${names.members}/${username} is there already`, {
      answer: true,
    })
  }
  makeFolder(options.content.path, `${names.members}/${username}`)
  createFile(options.content.path, below, text, { durable: true })
  return below
}

/** An empty folder may be what is left of a command that was killed. */
const holdsSomething = (folder: string): boolean =>
  fs.existsSync(folder) && fs.readdirSync(folder).some((name) => !name.startsWith('.'))

/** Writes a new shot under a name that is free in the member's folder; says its path below the content folder. */
export const addShot = (below: string, values: Values, options: AddOptions): string => {
  const text = written('shot', below, { values, ...options })
  makeFolder(options.content.path, path.posix.dirname(below))
  createFile(options.content.path, below, text, { durable: true })
  return below
}

/** Refuses values that `check` would find wrong in a new file. */
export const requireRight = (
  name: Exclude<SchemaName, 'site'>,
  values: Values,
  options: AddOptions,
): void => {
  written(name, '', { values, ...options })
}

/** The text of a new file, if the check that every file goes through finds nothing wrong with it. */
const written = (
  name: Exclude<SchemaName, 'site'>,
  file: string,
  { values, content, site, loader }: AddOptions & { readonly values: Values },
): string => {
  const { text = '' } = writeNewFile({
    data: values,
    name,
    schema: readSchema(name),
    schemas: schemasBeside(content.path),
  })
  const load = name === 'profile' ? loader.loadProfile : loader.loadShot
  const wrong = load({ file, text }, site).diagnostics.find(({ severity }) => severity === 'error')
  if (wrong === undefined) return text
  throw new UserError(wrong.message, wrong.hint === undefined ? {} : { hint: wrong.hint })
}
