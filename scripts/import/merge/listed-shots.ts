import { noTimestamp } from '../../api/records.ts'
import { normalTimestamp, timestampProblem } from '../../content/values/timestamp.ts'
import { type Fields, type Said, saidOf, textOf } from '../read/said.ts'
import { shotFields } from '../values/fields.ts'
import type { Finding } from './finding.ts'
import { problemsOf } from './merge-fields.ts'
import { projectsIn } from './merge-projects.ts'
import { isOlder, type Window, windowSize } from './window.ts'

export type ListedShots = {
  readonly window: Window
  /** Those that content can hold, by id. */
  readonly shots: ReadonlyMap<string, Fields>
  readonly projects: ReadonlyMap<string, string>
  readonly findings: readonly Finding[]
}

/** Sorts what the API lists into the window, the shots that can be imported, and the values that can't be kept. */
export const listedShots = (
  list: readonly Fields[],
  { userId, portsAllowed, listed, strays = [] }: ListedShotsOptions,
): ListedShots => {
  const findings = strays.map(stray)
  const [ids, dates] = [[] as string[], new Map<string, string>()]
  const shots = new Map<string, Fields>()
  const projects = projectsIn(list, listed)
  for (const fields of list) {
    const id = textOf(fields, 'id') ?? ''
    const problems = problemsOf(shotFields, fields, { portsAllowed })
    const refused = problems.filter(({ required }) => required)
    for (const { key, said, problem } of refused) findings.push(notImported(id, key, [shown(said), problem]))
    if (!/^[1-9][0-9]*$/.test(id)) continue
    if (ids.includes(id)) {
      findings.push(notImported(id, 'id', [id, 'the API lists it twice']))
      continue
    }
    ids.push(id)
    const date = textOf(fields, 'date') ?? ''
    if (timestampProblem(date) === undefined) dates.set(id, normalTimestamp(date))
    if (refused.length > 0) continue
    for (const { key, said, problem } of problems) {
      findings.push(notKept(id, key, { value: shown(said), problem, instead: 'it is left out' }))
    }
    for (const finding of userProblem(id, fields, userId)) findings.push(finding)
    const project = projectProblem(id, fields, { projects, listed })
    for (const finding of project.findings) findings.push(finding)
    shots.set(id, project.fields)
  }
  return {
    window: { count: list.length + strays.length, ids, dates },
    shots,
    projects,
    findings: [...findings, ...orderProblem(ids, dates), ...lengthProblem(ids)],
  }
}

export type ListedShotsOptions = {
  readonly userId: string
  readonly portsAllowed: boolean
  /** Dates of the projects that the profile lists already, by id. */
  readonly listed: ReadonlyMap<string, string>
  /** What the list holds that is no shot. */
  readonly strays?: readonly Said[] | undefined
}

const stray = (said: Said): Finding => ({
  code: 'shot-not-imported',
  about: { part: 'shots' },
  args: { id: '', key: 'id', what: strayShot, value: shown(said), problem: 'it is no object' },
})

/** What a message calls a shot that is none. */
export const strayShot = 'an entry of "Shots"'

const notImported = (
  id: string,
  key: string,
  [value, problem]: readonly [value: string, problem: string],
): Finding => {
  const what = `${key} of ${/^[1-9][0-9]*$/.test(id) ? `shot ${id}` : 'a shot without an id'}`
  return { code: 'shot-not-imported', about: { part: 'shots' }, args: { id, key, what, value, problem } }
}

const notKept = (
  id: string,
  key: string,
  args: { readonly value: string; readonly problem: string; readonly instead: string },
): Finding => ({
  code: 'not-kept',
  about: { part: 'shot', id, key },
  args: { what: `${key} of shot ${id}`, ...args },
})

/** A value as a message shows it. */
export const shown = (said: Said): string => (said.kind === 'other' ? said.json : (said.text ?? said.kind))

/** What a message calls a key that stands where only `Shots` does. */
export const besideShots = (key: string): string => `"${key.slice(0, 60)}" beside the shots`

const userProblem = (id: string, fields: Fields, userId: string): readonly Finding[] => {
  const said = saidOf(fields, 'user_id')
  if (said.text === userId || said.kind === 'missing') return []
  const problem = "it is not the member's id"
  return [notKept(id, 'user_id', { value: shown(said), problem, instead: `it becomes ${userId}` })]
}

type Projects = {
  /** Dates of the projects that the shots name, by id. */
  readonly projects: ReadonlyMap<string, string>
  readonly listed: ReadonlyMap<string, string>
}

type Checked = { readonly fields: Fields; readonly findings: readonly Finding[] }

/** A project has one date: a shot that gives it another one can't name it, nor can one without any if no date is known. */
const projectProblem = (id: string, fields: Fields, { projects, listed }: Projects): Checked => {
  const created = saidOf(fields, 'created_project')
  const project = textOf(fields, 'id_project') ?? ''
  const tell = (problem: string, instead: string): readonly Finding[] => [
    notKept(id, 'created_project', { value: shown(created), problem, instead }),
  ]
  if (!/^[1-9][0-9]*$/.test(project)) {
    const isNone = created.kind === 'missing' || created.text === noTimestamp
    return { fields, findings: isNone ? [] : tell('the shot has no project', `it becomes ${noTimestamp}`) }
  }
  const date = projects.get(project) ?? listed.get(project)
  const invalid = created.kind === 'missing' ? 'it is missing' : timestampProblem(created.text ?? '')
  if (date !== undefined && created.kind === 'missing') return { fields, findings: [] }
  if (date !== undefined && invalid !== undefined) {
    return { fields, findings: tell(invalid, `it becomes ${date}, the date of project ${project}`) }
  }
  if (date !== undefined && isSameTime(created.text!, date)) return { fields, findings: [] }
  return {
    fields: new Map([...fields, ['id_project', { kind: 'null' }]]),
    findings: tell(
      invalid ?? `project ${project} has another date in another shot`,
      `id_project ${project} is left out`,
    ),
  }
}

const isSameTime = (a: string, b: string): boolean => normalTimestamp(a) === normalTimestamp(b)

const orderProblem = (ids: readonly string[], dates: ReadonlyMap<string, string>): readonly Finding[] => {
  const dated = ids.filter((id) => dates.has(id))
  const order = dated.toSorted((a, b) =>
    isOlder({ id: a, date: dates.get(a) }, { id: b, date: dates.get(b) }) ? 1 : -1,
  )
  if (dated.every((id, index) => id === order[index])) return []
  const args = { sent: dated.join(', '), sorted: order.join(', ') }
  return [{ code: 'other-order', about: { part: 'shots' }, args }]
}

const lengthProblem = ({ length: count }: readonly string[]): readonly Finding[] =>
  count > windowSize ? [{ code: 'more-than-15', about: { part: 'shots' }, args: { count } }] : []
