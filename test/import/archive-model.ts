import type { Random } from '../snapshot/random.ts'

/** A shot of the content: its file, as the model expects it. */
export type Filed = {
  owner: string
  title: string
  draft: 'no' | 'by import' | 'by hand'
  /** Whether somebody edited the title, with a comment beside it. */
  edited: boolean
}

/** What the model remembers of a member's last import. */
type Remembered = {
  titles: Map<number, string>
  drafted: Set<number>
  window: readonly number[]
}

/** Both sides of an import, in as few words as the rules take: later ids have later dates. */
export type Model = {
  /** The server: shots by id. */
  readonly api: Map<number, { owner: string; title: string }>
  readonly files: Map<number, Filed>
  readonly base: Readonly<Record<string, Remembered>>
  next: number
}

export const owners = ['ana', 'bo'] as const

export const createModel = (): Model => ({
  api: new Map(),
  files: new Map(),
  base: Object.fromEntries(
    owners.map((owner) => [owner, { titles: new Map(), drafted: new Set(), window: [] }]),
  ),
  next: 1,
})

export const windowOf = ({ api }: Model, owner: string): readonly number[] =>
  [...api]
    .filter(([, shot]) => shot.owner === owner)
    .map(([id]) => id)
    .sort((a, b) => b - a)
    .slice(0, 15)

const titles = ['red', 'blue', 'green']

/** The server's members go on posting, renaming, removing, and giving shots to each other. */
export const changeApi = (model: Model, random: Random) => {
  const { api } = model
  const post = (count: number, owner: string) => {
    for (let i = 0; i < count; i++)
      api.set(model.next++, { owner, title: random.pick(titles) })
  }
  for (let i = random.below(4); i > 0; i--) {
    const id = random.pick([...api.keys()])!
    const shot = api.get(id)
    const what = random.below(8)
    if (shot === undefined || what < 3)
      post(1 + random.below(what === 2 ? 17 : 3), random.pick(owners))
    else if (what < 5) shot.title = random.pick(titles)
    else if (what === 5) shot.owner = random.pick(owners)
    else if (what === 6) api.delete(id)
    else
      api.set(1 + random.below(model.next - 1), {
        owner: random.pick(owners),
        title: random.pick(titles),
      })
  }
}

/** Editors rename, hide, show and remove; says which files they touched. */
export const changeFiles = ({ files, base }: Model, random: Random): readonly number[] => {
  const touched: number[] = []
  for (let i = random.below(4); i > 0 && files.size > 0; i--) {
    const id = random.pick([...files.keys()])
    const file = files.get(id)!
    const what = random.below(6)
    if (what < 3) Object.assign(file, { title: random.pick(titles), edited: true })
    else if (what === 3) files.delete(id)
    else if (file.draft === 'by hand') file.draft = 'no'
    else if (file.draft === 'no' && !base[file.owner]!.drafted.has(id)) file.draft = 'by hand'
    touched.push(id)
  }
  return touched
}

/** Imports both members; says what must be told, as codes with ids or owners. */
export const importModel = (model: Model) => {
  const told: string[] = []
  for (const owner of owners) {
    const window = windowOf(model, owner)
    for (const id of window) mergeOne(owner, id, model, told)
    missOut(owner, window, model, told)
  }
  return told.sort()
}

const mergeOne = (owner: string, id: number, { api, files, base }: Model, told: string[]) => {
  const theirs = api.get(id)!.title
  const known = base[owner]!
  const there = files.get(id)
  const old = known.titles.get(id)
  if (there?.owner !== owner) {
    if (old !== undefined) {
      if (old !== theirs) told.push(`removed-here ${id}`)
    } else if (there !== undefined) told.push(`shot-elsewhere ${id}`)
    else {
      files.set(id, { owner, title: theirs, draft: 'no', edited: false })
      known.titles.set(id, theirs)
    }
    return
  }
  if (there.draft === 'by hand') return
  if (known.drafted.delete(id)) told.push(`shot-returned ${id}`)
  there.draft = 'no'
  if (there.title !== theirs && there.title !== old && theirs !== old) {
    told.push(`conflict ${id}`)
    return
  }
  if (there.title === old) there.title = theirs
  known.titles.set(id, theirs)
}

const missOut = (
  owner: string,
  window: readonly number[],
  { files, base }: Model,
  told: string[],
) => {
  const known = base[owner]!
  const shows = (id: number) => window.length < 15 || id > window.at(-1)!
  const gone = [...known.titles.keys()].filter((id) => {
    const file = files.get(id)
    return (
      !window.includes(id) &&
      shows(id) &&
      file?.owner === owner &&
      file.draft === 'no' &&
      !known.drafted.has(id)
    )
  })
  if (
    known.window.length > 0 &&
    window.length === 15 &&
    !known.window.some((id) => window.includes(id))
  ) {
    told.push(`windows-apart ${owner}`)
  }
  if (gone.length * 2 > known.window.length) {
    told.push(`too-many-vanished ${owner}`)
    return
  }
  for (const id of gone) {
    files.get(id)!.draft = 'by import'
    known.drafted.add(id)
    told.push(`shot-vanished ${id}`)
  }
  known.window = window
}
