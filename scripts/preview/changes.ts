import { isYaml, memberFolder } from '../content/layout.ts'
import type { Data } from '../content/parse/data.ts'
import { withoutMark } from '../content/read/read-file.ts'
import { equalData, mappingIn } from '../edit/change.ts'
import { shownPath } from '../edit/members.ts'
import { readBlobs, readChanges, readTree } from '../files/git.ts'
import { attempt } from './attempt.ts'
import type { Content, Part } from './content.ts'

/** How a file differs from the last commit, key by key; `undefined` is no such key. */
export type FileChange = Pick<Part, 'file' | 'id'> & {
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
  const readable = member(username)?.parts.filter(({ oid }) => oid !== '') ?? []
  const parts = new Map(readable.map((part) => [part.file, part]))
  /** The texts of files that are not what they were; `undefined` of new ones. */
  const before = attempt(() => {
    const { top, files } = readTree(`${content.path}/${folder}`, 'HEAD')
    const plain = files.filter(({ plain, path }) => plain && isYaml(path))
    const oids = new Map(
      plain.map(({ path, oid }) => [shownPath(content, `${folder}/${path}`), oid]),
    )
    const isOther = (file: string) => parts.get(file)?.oid !== oids.get(file)
    const old = [...oids].filter(([file]) => isOther(file))
    const texts = new Map<string, string | undefined>()
    for (const file of parts.keys()) if (isOther(file)) texts.set(file, undefined)
    const wanted = old.map(([, oid]) => oid)
    readBlobs(top, wanted, (bytes, at) =>
      // a blob for each that was wanted, in their order
      texts.set(old[at]![0], withoutMark(bytes.toString('utf8'))),
    )
    return texts
  })
  // no repository, or no commit yet
  return Array.from(before ?? []).flatMap(([file, text]): readonly FileChange[] => {
    const part = parts.get(file)
    const old = mappingIn(text)
    const now = mappingIn(part?.text)
    const changes = Object.keys({ ...old, ...now })
      .map((key) => ({ key, before: old[key], after: now[key] }))
      .filter(({ before, after }) => !equalData(before, after))
    if (part === undefined) return [{ file, id: '', state: 'gone', changes }]
    const state = text === undefined ? 'new' : 'changed'
    return changes.length === 0 ? [] : [{ file, id: part.id, state, changes }]
  })
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
