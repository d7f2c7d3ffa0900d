/** The values that the API last gave for a shot, as text; `null` where it gave none. */
export type BaseFields = Readonly<Record<string, string | null>>

/** `members/<u>/import.json`: what the API said last, so that the next import knows what was changed here since. */
export type Base = {
  /** The name that was asked for; another one than the folder's after a rename here. */
  readonly username: string
  /** Fields of the profile; a field that is not there was never settled. */
  readonly profile: BaseFields
  /** Totals that the profile leaves out because content counts them. */
  readonly counted: readonly string[]
  /** Creation dates of projects by id. */
  readonly projects: BaseFields
  /** Every shot that was imported, by id, those too that left the window. */
  readonly shots: Readonly<Record<string, BaseFields>>
  /** Shots that vanished from the window, and were made drafts because of it. */
  readonly drafted: readonly string[]
  /** The ids of the last window, in its order. */
  readonly window: readonly string[]
  /** Dates of the oldest and the newest shot of the last window; empty if it was empty. */
  readonly span: readonly string[]
  /** The sha256 of each body that these values came from: what is kept of other bodies says nothing. */
  readonly bodies: Readonly<Record<string, string>>
  /** Shots that are just being made drafts: a kill may come before that is done. */
  readonly drafting?: readonly string[] | undefined
}

export const baseFile = 'import.json'

/** The text of the file. The same base gives the same text, so git shows what the API changed. */
export const renderBase = (base: Base): string =>
  `${JSON.stringify(
    {
      username: base.username,
      profile: base.profile,
      counted: base.counted,
      projects: sorted(base.projects),
      shots: sorted(base.shots),
      drafted: base.drafted.toSorted(byId),
      window: base.window,
      span: base.span,
      bodies: base.bodies,
      drafting: base.drafting,
    },
    null,
    2,
  )}\n`

/** Reads the file; `undefined` if it is not one that an import wrote. */
export const parseBase = (text: string): Base | undefined => {
  let data: unknown
  try {
    data = JSON.parse(text.replace(/^\ufeff/, ''))
  } catch {
    return undefined
  }
  return isBase(data) ? { ...data, bodies: data.bodies ?? {} } : undefined
}

/** Whether a file says a base already; its line ends and spaces don't matter. */
export const saysBase = (text: string | undefined, base: Base): boolean => {
  if (text === undefined) return false
  const rendered = renderBase(base)
  if (text === rendered) return true
  const old = parseBase(text)
  return old !== undefined && renderBase(old) === rendered
}

/** Compares canonical numbers of any length. */
export const byId = (a: string, b: string): number => a.length - b.length || (a < b ? -1 : a > b ? 1 : 0)

/** JSON.stringify puts keys that look like small numbers first, so the long ones only have to come in order. */
const sorted = <T>(record: Readonly<Record<string, T>>): Readonly<Record<string, T>> =>
  Object.fromEntries(Object.entries(record).sort(([a], [b]) => byId(a, b)))

const isBase = (data: unknown): data is Base =>
  isRecord(data) &&
  typeof data.username === 'string' &&
  isFields(data.profile) &&
  isFields(data.projects) &&
  isRecord(data.shots) &&
  Object.entries(data.shots).every(([id, fields]) => /^[1-9][0-9]*$/.test(id) && isFields(fields)) &&
  isFields(data.bodies ?? {}) &&
  [data.counted, data.drafted, data.window, data.span, data.drafting ?? []].every(isTexts)

const isRecord = (data: unknown): data is Readonly<Record<string, unknown>> =>
  typeof data === 'object' && data !== null && !Array.isArray(data) && !Object.hasOwn(data, '__proto__')

const isFields = (data: unknown): data is BaseFields =>
  isRecord(data) && Object.values(data).every((value) => value === null || typeof value === 'string')

const isTexts = (data: unknown): data is readonly string[] =>
  Array.isArray(data) && data.every((item) => typeof item === 'string')
