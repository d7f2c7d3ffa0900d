import { parse } from '../content/parse/parse.ts'
import { locate } from '../content/rules.ts'
import { fileStart, type Place } from '../problems/diagnostic.ts'
import type { About } from './merge/finding.ts'
import { addressOf, atAddress, type Run } from './run-context.ts'
import type { Applied } from './write/apply-plan.ts'
import type { MemberFiles } from './write/read-member.ts'

export type Surroundings = {
  readonly name: string
  readonly files: MemberFiles | undefined
  readonly run: Run
  /** What was written since the files were read. */
  readonly applied?: Applied | undefined
}

/** Where something is: in the content as it is now, or at the address if there is no file. */
export const placeIn = (about: About, surroundings: Surroundings): Place => {
  const { name, run, applied } = surroundings
  if (about.part === 'user' || about.part === 'shots') return atAddress(addressOf(name, about.part, run))
  const file = fileOf(about, surroundings)
  if (file === undefined) return atAddress(addressOf(name, about.part === 'profile' ? 'user' : 'shots', run))
  const after = applied?.changes.find(({ path }) => path === file.path)?.after
  const source = { file: `${run.found.content.name}/${file.path}`, text: after ?? file.text ?? '' }
  if (about.key === undefined) return { file: source.file, ...fileStart }
  const { data } = parse(source)
  const has = typeof data === 'object' && Object.hasOwn(data, about.key)
  return has ? locate(source, [about.key], 'value') : locate(source, [], 'mapping')
}

const fileOf = (
  about: Exclude<About, { part: 'user' | 'shots' }>,
  { files, applied }: Surroundings,
): { readonly path: string; readonly text?: string } | undefined => {
  if (about.part === 'shot') {
    const path = applied?.shotPaths.get(about.id)
    return files?.shots.get(about.id) ?? (path === undefined ? undefined : { path })
  }
  return files?.profile ?? applied?.changes.find(({ path }) => path.endsWith('/profile.yaml'))
}
