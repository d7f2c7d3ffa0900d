import { type Diagnostic, fileStart } from '../../problems/diagnostic.ts'
import { besideShots, shown } from '../merge/listed-shots.ts'
import type { Fields } from '../read/said.ts'
import { type Tolerance, tolerances } from '../read/tolerance.ts'
import { derivedFields, type Field, profileFields, shotFields } from '../values/fields.ts'
import { diagnose, type ImportCode } from './messages.ts'

/** What is reported once a run, however often it occurs. */
export type Notes = {
  readonly tolerated: (names: readonly Tolerance[], url: string) => void
  /** Fields that the interface has and the body lacks, or the other way round. */
  readonly fields: (part: 'user' | 'shots', records: readonly Fields[], url: string) => void
  /** What a body says beside the shots. */
  readonly others: (fields: Fields, url: string) => void
  readonly httpUnseen: (problem: string, url: string) => void
  readonly diagnostics: () => readonly Diagnostic<ImportCode>[]
}

export const createNotes = (): Notes => {
  const met = new Map<string, Note>()
  const note = (key: string, url: string, tell: Note['tell']): void => {
    const before = met.get(key)
    met.set(key, { url: before?.url ?? url, count: (before?.count ?? 0) + 1, tell: before?.tell ?? tell })
  }
  return {
    tolerated: (names, url) => {
      for (const name of names) {
        note(`tolerated ${name}`, url, (count) => {
          const args = { name, what: tolerances[name], count, url }
          return diagnose('tolerated', { file: url, ...fileStart }, args)
        })
      }
    },
    fields: (part, records, url) => {
      const known = knownFields[part]
      for (const key of known) {
        if (!records.some((fields) => !fields.has(key))) continue
        note(`missing ${part} ${key}`, url, (count) =>
          diagnose(
            'field-missing',
            { file: url, ...fileStart },
            { what: `${key} of a ${nouns[part]}`, count },
          ),
        )
      }
      for (const fields of records) {
        for (const [key, said] of fields) {
          if (known.has(key)) continue
          const args = { what: `"${key.slice(0, 60)}" of a ${nouns[part]}`, value: shown(said) }
          note(`unknown ${part} ${key}`, url, () =>
            diagnose('unknown-field', { file: url, ...fileStart }, args),
          )
        }
      }
    },
    others: (fields, url) => {
      for (const [key, said] of fields) {
        const args = { what: besideShots(key), value: shown(said) }
        note(`unknown beside ${key}`, url, () => diagnose('unknown-field', { file: url, ...fileStart }, args))
      }
    },
    httpUnseen: (problem, url) => {
      note('http-unseen', url, (count) =>
        diagnose('http-unseen', { file: url, ...fileStart }, { problem, count }),
      )
    },
    diagnostics: () => [...met.values()].map(({ count, tell }) => tell(count)),
  }
}

type Note = {
  readonly url: string
  readonly count: number
  readonly tell: (count: number) => Diagnostic<ImportCode>
}

const keysOf = (part: 'user' | 'shots', fields: readonly Field[]): ReadonlySet<string> =>
  new Set([...fields.map(({ key }) => key), ...derivedFields[part]])

const knownFields = { user: keysOf('user', profileFields), shots: keysOf('shots', shotFields) } as const
const nouns = { user: 'profile', shots: 'shot' } as const
