import { isYaml, memberFolder } from '../content/layout.ts'
import type { Data } from '../content/parse/data.ts'
import { withoutMark } from '../content/read/read-file.ts'
import { equalData, mappingIn } from '../edit/change.ts'
import { shownPath } from '../edit/members.ts'
import { readBlobs, readTree } from '../files/git.ts'
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
  const all = member(username)?.parts ?? []
  const parts = new Map(all.filter(({ oid }) => oid !== '').map((part) => [part.file, part]))
  const before = attempt(() => {
    const { top, files } = readTree(`${content.path}/${folder}`, 'HEAD')
    const known = files
      .filter(({ plain, path }) => plain && isYaml(path))
      .map(({ path, oid }) => ({ file: shownPath(content, `${folder}/${path}`), oid }))
    const others = known.filter(({ file, oid }) => parts.get(file)?.oid !== oid)
    for (const { file, oid } of known) if (parts.get(file)?.oid === oid) parts.delete(file)
    const texts = new Map<string, string>()
    const oids = others.map(({ oid }) => oid)
    readBlobs(top, oids, (bytes, at) =>
      texts.set(others[at]!.file, withoutMark(bytes.toString('utf8'))),
    )
    return texts
  })
  if (before === undefined) return [] // no repository, or no commit yet
  return [...new Set([...parts.keys(), ...before.keys()])].flatMap((file): FileChange[] => {
    const part = parts.get(file)
    const old = mappingIn(before.get(file))
    const now = mappingIn(part?.text)
    const changes = [...new Set([...Object.keys(old), ...Object.keys(now)])]
      .map((key) => ({ key, before: old[key], after: now[key] }))
      .filter(({ before, after }) => !equalData(before, after))
    if (part === undefined) return [{ file, id: '', state: 'gone', changes }]
    const state = before.has(file) ? 'changed' : 'new'
    return changes.length === 0 ? [] : [{ file, id: part.id, state, changes }]
  })
}
