import { isYaml } from '../content/layout.ts'
import type { Data } from '../content/parse/data.ts'
import { withoutMark } from '../content/read/read-file.ts'
import { shownPath } from '../edit/files.ts'
import { equalData, mappingIn } from '../edit/yaml/proof.ts'
import { readBlobs, readChanges, readTree } from '../files/git.ts'
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

/**
 * What is not as it was at the last commit: the members whose files differ, sorted, with
 * their changes, and files that are no member's. Throws a `UserError` where there is none.
 */
export const changedIn = ({ folder, ownerOf, partOf }: Content) => {
  const { top, prefix, files } = readTree(folder.path, 'HEAD')
  const changed = new Map(
    readChanges({ top, commit: 'HEAD' })
      .filter(({ path }) => path.startsWith(prefix))
      .map(({ path }) => path.slice(prefix.length))
      .sort()
      .map((below) => [below, ownerOf(shownPath(folder, below))]),
  )
  const wanted = files.filter(({ plain, path }) => plain && isYaml(path) && changed.has(path))
  const texts = new Map<string, string>()
  const oids = wanted.map(({ oid }) => oid)
  readBlobs(top, oids, (bytes, at) =>
    texts.set(wanted[at]?.path ?? '', withoutMark(bytes.toString('utf8'))),
  )
  const changeOf = (below: string): readonly FileChange[] => {
    const file = shownPath(folder, below)
    const text = texts.get(below)
    const part = partOf(file)
    const old = mappingIn(text)
    const now = mappingIn(part?.text)
    const changes = Object.keys({ ...old, ...now })
      .map((key) => ({ key, before: old[key], after: now[key] }))
      .filter(({ before, after }) => !equalData(before, after))
    const state = text === undefined ? 'new' : 'changed'
    return changes.length > 0 ? [{ file, changes, state: part ? state : 'gone' }] : []
  }
  const filesOf = (username: string): readonly string[] =>
    [...changed].flatMap(([below, owner]) => (owner === username ? below : []))
  return {
    members: [...new Set(changed.values())].filter((username) => username !== ''),
    others: filesOf('').map((below) => shownPath(folder, below)),
    changesOf: (username: string) => filesOf(username).flatMap(changeOf),
  }
}
