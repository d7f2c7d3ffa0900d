import { type Fields, shown } from './body.ts'
import { problemsIn, profileFields, shotFields } from './fields.ts'
import { type About, fieldAt } from './messages.ts'
import type { Sides } from './run.ts'

/** What a message calls a shot that is none. */
export const strayShot = 'an entry of "Shots"'

/** How a message shows a value that can't be kept, and why where the value alone doesn't say it. */
export const refusedValue = (what: string, value: unknown, problem: string) => {
  const text = shown(value)
  return { what, value: text, why: problem === `it is ${text}` ? '' : `: ${problem}` }
}

export const refused = (fields: Fields, about: About & { readonly key: string }, problem: string) =>
  refusedValue(fieldAt(about), fields.get(about.key), problem)

/** Tells what can't be kept of a profile, or of a shot with an id; says whether it lacks what content needs. */
export const tellProblems = (fields: Fields, { site, find }: Sides, id?: string): boolean => {
  const problems = problemsIn(fields, id === undefined ? profileFields : shotFields, site)
  const isRefused = problems.some(({ field }) => field.required)
  for (const { field, problem } of problems) {
    const about = { id, key: field.key }
    const args = refused(fields, about, problem)
    if (field.required && id === undefined) find('member-not-imported', { at: 'user' }, args)
    else if (field.required) find('shot-not-imported', { ...about, at: 'shots' }, args)
    else if (!isRefused) find('not-kept', about, { ...args, instead: 'it is left out' })
  }
  return isRefused
}
