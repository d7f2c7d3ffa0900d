/** Medians in milliseconds, by the name of the step. */
export type Medians = Readonly<Record<string, number>>

/** A figure held against another one of the same run. */
export type Ratio = {
  readonly name: string
  /** What it is a multiple of; a star says that the start-up is taken off builds. */
  readonly of: string
  readonly value: number
  /** Absent where none is set for a site of this size. */
  readonly limit: number | undefined
}

/** The limits that the project has set itself. */
export const ratios = (medians: Medians, size: { members: number; corpus: boolean }): readonly Ratio[] => {
  const at = (name: string): number => medians[name]!
  const large = !size.corpus && size.members >= 10_000
  // On a busy machine, or a tiny site, a build may seem to take less than its own start-up: then it took nothing.
  const beyondStart = (name: string) => Math.max(0, at(name) - at('start-up'))
  return [
    {
      name: 'cold',
      of: 'read in, copy out',
      value: at('cold') / at('read in, copy out'),
      limit: size.corpus ? 1.5 : size.members >= 10_000 ? 1.2 : size.members >= 1000 ? 2 : undefined,
    },
    {
      name: 'nothing changed',
      of: 'git status *',
      value: beyondStart('nothing changed') / at('git status'),
      limit: large ? 2 : undefined,
    },
    {
      name: 'one shot edited',
      of: 'nothing changed *',
      value: beyondStart('one shot edited') / beyondStart('nothing changed'),
      limit: large ? 1.2 : undefined,
    },
    {
      name: 'fresh clone',
      of: 'nothing changed',
      value: at('fresh clone') / at('nothing changed'),
      limit: 2,
    },
    { name: 'example site', of: 'npx tsx -e 0', value: at('example site') / at('npx tsx -e 0'), limit: 3 },
  ]
}
