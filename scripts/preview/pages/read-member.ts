import { setImmediate } from 'node:timers/promises'
import type { ShotRecord } from '../../api/records.ts'
import { names } from '../../content/layout.ts'
import type { Source } from '../../content/load.ts'
import { createLoader } from '../../content/load.ts'
import type { Profile } from '../../content/member.ts'
import { parse } from '../../content/parse/parse.ts'
import { createReader } from '../../content/read/read-file.ts'
import { type ContentFolder, scanMember } from '../../content/read/scan.ts'
import type { Site } from '../../content/site.ts'
import type { MemberData, Part, Problem, Work } from '../../explorer/data/data.ts'
import { earlierProfile, earlierWork } from '../../explorer/data/earlier.ts'
import type { Diagnostic } from '../../problems/diagnostic.ts'
import { shotToken } from '../../snapshot/member/claims.ts'
import { readProblems } from './read-problems.ts'
import { readServed, recordsOf, unlessGone } from './read-served.ts'

/** Reads what a member's page shows. */
export type MemberReader = (username: string, options: ReadOptions) => Promise<MemberData>

export type ReadOptions = {
  readonly site: Site | undefined
  /** What the last build found, of the whole site. */
  readonly diagnostics: readonly Diagnostic[]
}

export const createMemberReader = (folders: {
  readonly content: ContentFolder
  /** The snapshot. */
  readonly out: string
  readonly hostNames: readonly string[]
}): MemberReader => {
  const { content, out, hostNames } = folders
  const [reader, loader] = [createReader(content), createLoader({ hostNames })]
  /** By file: what was read last of files that were right. A broken one is shown as it was. */
  const seen = new Map<string, Profile | Work>()

  return async (username, { site, diagnostics }) => {
    const folder = `${content.name}/${names.members}/${username}`
    const own = diagnostics.filter(({ file }) => file === folder || file.startsWith(`${folder}/`))
    const served = readServed(out, username)
    const earlier = recordsOf(served)
    const told = new Set<string>()

    const readPart = <T extends Profile | Work>(file: string, { load, recall }: Reading<T>): Part<T> => {
      told.add(file)
      const source = readSource(file)
      const value = source && load(source)
      if (value !== undefined) remember(file, value)
      return {
        file,
        value: value ?? (seen.get(file) as T | undefined) ?? recall(source),
        stale: value === undefined,
        lines: source === undefined ? {} : linesOf(source),
        problems: problemsIn(file),
      }
    }

    const remember = (file: string, value: Profile | Work): void => {
      if (seen.size >= mostSeen) seen.clear()
      seen.set(file, value)
    }

    const readSource = (file: string): Source | undefined => {
      try {
        return reader(file.slice(content.name.length + 1)).source
      } catch {
        return undefined // gone meanwhile: the next build tells
      }
    }

    const problems = readProblems(content, own)
    const problemsIn = (file: string): readonly Problem[] =>
      problems.filter(({ diagnostic }) => diagnostic.file === file)

    // gone meanwhile: the next build tells
    const scan = unlessGone(() => scanMember(username, content)) ?? { profile: undefined, shots: [] }
    const profile =
      scan.profile === undefined
        ? undefined
        : readPart<Profile>(`${folder}/${scan.profile}`, {
            load: (source) => loader.loadProfile(source, site).value,
            recall: () => earlier.user && earlierProfile(earlier.user, earlier.shots),
          })
    const works: Part<Work>[] = []
    for (const [at, name] of scan.shots.entries()) {
      if (at % breath === breath - 1) await setImmediate()
      const work = readPart<Work>(`${folder}/${names.shots}/${name}`, {
        load: (source) => {
          const shot = loader.loadShot(source, site).value
          return shot && { ...shot, token_id: shot.token_id ?? shotToken(shot.id) }
        },
        recall: (source) => recallWork(source, earlier.shots),
      })
      works.push(work)
    }
    const others = problems.filter(({ diagnostic }) => !told.has(diagnostic.file))
    return { username, profile, works, problems: others, served }
  }
}

type Reading<T> = {
  readonly load: (source: Source) => T | undefined
  /** What the snapshot tells of a file that is not right. */
  readonly recall: (source: Source | undefined) => T | undefined
}

/** Values that are remembered, and files that are read without a pause. */
const mostSeen = 20_000
const breath = 100

/** The work of the snapshot that a file stands for, by its id; also where its syntax is broken. */
const recallWork = (source: Source | undefined, shots: readonly ShotRecord[]): Work | undefined => {
  const id = /^["']?id["']?[ \t]*:[ \t]*["']?([1-9][0-9]*)/m.exec(source?.text ?? '')?.[1]
  const shot = shots.find((one) => one.id === id)
  return shot && earlierWork(shot)
}

/** The line of each key. Keys nearly always begin a line; else the whole file is parsed. */
const linesOf = (source: Source): Readonly<Record<string, number>> => {
  const lines: [string, number][] = source.text.split('\n').flatMap((line, at) => {
    const key = /^(["']?)([A-Za-z_]+)\1[ \t]*:/.exec(line)?.[2]
    return key === undefined ? [] : [[key, at + 1] as [string, number]]
  })
  if (lines.some(([key]) => key === 'id')) return Object.fromEntries(lines)
  const { data, place } = parse(source)
  const keys = typeof data === 'object' && !Array.isArray(data) ? Object.keys(data) : []
  return Object.fromEntries(keys.map((key) => [key, place([key], 'key').line]))
}
