import path from 'node:path'
import { UserError } from '../../diagnostics/user-error.ts'
import { makeFolder, makeRoot } from '../../files/folder.ts'
import { readFile } from '../../files/open.ts'
import { createFile, replaceFile } from '../../files/write.ts'
import type { FileChange } from './apply-plan.ts'
import type { ContentSite } from './content-site.ts'

/** Writes files of the content, each whole or not at all, and site.yaml before the first one; says which. */
export const writeChanges = (
  changes: readonly FileChange[],
  { content, newSite }: ContentSite,
): readonly string[] => {
  if (changes.length === 0) return []
  const site = newSite === undefined ? [] : writeSite(content.path, newSite)
  const made = new Set<string>()
  for (const { path: file, before, after } of changes) {
    if (before === undefined) {
      const folder = path.posix.dirname(file)
      if (!made.has(folder)) makeFolder(content.path, folder)
      made.add(folder)
      createFile(content.path, file, after)
    } else replaceFile(content.path, file, markOf(content.path, { file, before }) + after, { durable: true })
  }
  return [...site, ...changes.map((change) => change.path)]
}

const writeSite = (content: string, text: string): readonly string[] => {
  makeRoot(content)
  try {
    createFile(content, 'site.yaml', text)
    return ['site.yaml']
  } catch (error) {
    // an earlier member of this run had it written
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return []
    throw error
  }
}

/** The byte order mark of a file, which reading it left out; a file that changed meanwhile is not written over. */
const markOf = (
  content: string,
  { file, before }: { readonly file: string; readonly before: string },
): string => {
  const now = readFile(content, file, { limit: 16 << 20 })?.toString('utf8')
  if (now === before) return ''
  if (now === `\ufeff${before}`) return '\ufeff'
  throw new UserError(`"${file}" changed while it was imported`, { hint: 'run the same command again' })
}
