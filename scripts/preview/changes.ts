import { isYaml, memberFolder } from '../content/layout.ts'
import type { Data } from '../content/parse/data.ts'
import { withoutMark } from '../content/read/read-file.ts'
import { equalData, mappingIn } from '../edit/change.ts'
import { shownPath } from '../edit/members.ts'
import { readBlobs, readChanges, readTree } from '../files/git.ts'
import { attempt } from './attempt.ts'
import type { Content } from './content.ts'

/** How a file differs from the last commit, key by key; `undefined` is no such key. */
export type FileChange = {
  /** As diagnostics name it. */
  readonly file: string
  readonly state: 'new' | 'changed' | 'gone'
  readonly changes: readonly {
    readonly key: string
    readonly before: Data | undefined
    readonly after: Data | undefined
  }[]
}

/** How a member's files differ from those of the last commit. */
export const changesOf = (
  username: string,
  { folder: content, member }: Content,
): readonly FileChange[] => {
  const folder = memberFolder(username, content)
  const before = attempt(() => committedIn(`${content.path}/${folder}`)) ?? new Map()
  const parts = new Map(member(username)?.parts.map((part) => [part.below, part]))
  const inFolder = new Map(Array.from(before, ([name, text]) => [`${folder}/${name}`, text]))
  return [...new Set([...inFolder.keys(), ...parts.keys()])].flatMap((below) => {
    const part = parts.get(below)
    const text = inFolder.get(below)
    if (part?.text === text) return []
    const old = mappingIn(text)
    const now = mappingIn(part?.text)
    const changes = Object.keys({ ...old, ...now })
      .map((key) => ({ key, before: old[key], after: now[key] }))
      .filter(({ before, after }) => !equalData(before, after))
    const state = text === undefined ? 'new' : 'changed'
    const change = { file: shownPath(content, below), changes }
    return changes.length > 0 ? [{ ...change, state: part ? state : 'gone' }] : []
  })
}

/** The texts of a folder's YAML files at the last commit, by their paths below it. */
const committedIn = (folder: string): ReadonlyMap<string, string> => {
  const { top, files } = readTree(folder, 'HEAD')
  const wanted = files.filter(({ plain, path }) => plain && isYaml(path))
  const texts = new Map<string, string>()
  const oids = wanted.map(({ oid }) => oid)
  readBlobs(top, oids, (bytes, at) =>
    texts.set(wanted[at]?.path ?? '', withoutMark(bytes.toString('utf8'))),
  )
  return texts
}

/**
 * What is not as it was at the last commit: the members whose files differ, sorted, and files that are no member's.
 * Throws a `UserError` where there is none.
 */
export const changedIn = ({ folder, ownerOf }: Content) => {
  const { top, prefix } = readTree(folder.path, 'HEAD')
  const files = readChanges({ top, commit: 'HEAD' })
    .filter(({ path }) => path.startsWith(prefix))
    .map(({ path }) => shownPath(folder, path.slice(prefix.length)))
    .sort()
  const members = new Set(files.map(ownerOf).filter((username) => username !== ''))
  return { members: [...members], others: files.filter((file) => ownerOf(file) === '') }
}
