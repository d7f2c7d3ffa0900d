import type { Taken } from './process.ts'

/** Medians by the name of the step. */
export type Medians = Readonly<Record<string, Taken>>

/** A figure held against another one of the same run. */
export type Ratio = {
  readonly name: string
  /** What it is a multiple of; a star says that the start-up is taken off builds. */
  readonly of: string
  readonly value: number
  /** Whether times on the clock are compared, or times of all processors. */
  readonly time: keyof Taken
  /** Absent where none is set for a site of this size. */
  readonly limit: number | undefined
}

/** The limits that the project has set itself. */
export const ratios = (medians: Medians, size: { members: number; corpus: boolean }): readonly Ratio[] => {
  const at = (name: string, time: keyof Taken = 'wall'): number => medians[name]![time]
  const against = (
    name: string,
    of: string,
    limit: number | undefined,
    time: keyof Taken = 'wall',
  ): Ratio => ({
    ...{ name, of, time, limit },
    value: at(name, time) / at(of, time),
  })
  const large = !size.corpus && size.members >= 10_000
  // On a busy machine, or a tiny site, a build may seem to take less than its own start-up: then it took nothing.
  const beyondStart = (name: string) => Math.max(0, at(name) - at('start-up'))
  return [
    against(
      'cold',
      'read in, copy out',
      size.corpus ? 1.5 : size.members >= 10_000 ? 1.2 : size.members >= 1000 ? 2 : undefined,
    ),
    against('cold', 'plain script', size.corpus ? 0.6 : large ? 0.45 : 0.7),
    against('cold', 'plain script', large ? 0.65 : 0.95, 'cpu'),
    ...('cold, projects in braces' in medians
      ? [against('cold, projects in braces', 'cold', 1.05, 'cpu')]
      : []),
    against('start without npm', 'node -e 0', 1.6),
    {
      name: 'nothing changed',
      of: 'git status *',
      time: 'wall',
      value: beyondStart('nothing changed') / at('git status'),
      limit: large ? 2 : undefined,
    },
    {
      name: 'one shot edited',
      of: 'nothing changed *',
      time: 'wall',
      value: beyondStart('one shot edited') / beyondStart('nothing changed'),
      limit: large ? 1.2 : undefined,
    },
    against('fresh clone', 'nothing changed', 2),
    against('example site', 'npx tsx -e 0', 3),
  ]
}
