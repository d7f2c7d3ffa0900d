import type { Diagnostic } from '../../problems/diagnostic.ts'
import { diagnose } from '../../problems/messages.ts'
import type { Data } from '../parse/data.ts'
import type { Parsed } from '../parse/parse.ts'
import { diagnoseIn } from '../rules/locate.ts'
import type { Path, Violation } from '../rules/violation.ts'
import { lostValue } from './left-over.ts'

/** What was read of a file, and its lines. */
type Read = { readonly parsed: Parsed; readonly lines: readonly string[] }

/** Reports each violation once, where it helps most: what follows from another one is left out. */
export const tell = (violations: readonly Violation[], file: Read): readonly Diagnostic[] => {
  const { data, whole } = file.parsed
  const missing = violations.filter((violation) => violation.code === 'missing-key')
  if (whole && missing.length > 0 && isEmptyMapping(data)) return [emptyFile(missing, file)]
  const suggested = new Set(violations.flatMap(suggestedBy))
  return violations
    .filter((one) => one.code !== 'missing-key' || !isExplained(one, { whole, suggested }))
    .map((violation) => tellOne(violation, file))
}

type Missing = Extract<Violation, { readonly code: 'missing-key' }>

/** A key may be hidden by a syntax error, or be the one that is misspelt. */
const isExplained = (
  { path, args }: Missing,
  { whole, suggested }: { readonly whole: boolean; readonly suggested: ReadonlySet<string> },
): boolean => (!whole && path.length === 0) || suggested.has([...path, args.key].join('/'))

const suggestedBy = ({ code, path, args }: Violation): readonly string[] => {
  const meant = code === 'unknown-key' ? args.suggestion : undefined
  return meant === undefined ? [] : [[...path.slice(0, -1), meant].join('/')]
}

const emptyFile = (missing: readonly Missing[], { parsed }: Read): Diagnostic => {
  const example = missing.map(({ args }) => args.example).join('; ')
  return diagnose('empty-file', parsed.place([], 'value'), { example })
}

const tellOne = (violation: Violation, { parsed, lines }: Read): Diagnostic => {
  const { code, path, args } = violation
  if (code === 'missing-key' && has(parsed.data, [...path, args.key])) {
    const key = parsed.place([...path, args.key], 'key')
    const lost = lostValue(key, { lines, key: args.key })
    const given = { ...violation, args: { ...args, given: true } }
    return (
      lost ?? { ...diagnoseIn(parsed, given), related: [{ ...key, message: 'it is here, without a value' }] }
    )
  }
  if (code === 'bad-word' && args.value === '') {
    return (
      lostValue(parsed.place(path, 'value'), { lines, key: path.at(-1)! }) ?? diagnoseIn(parsed, violation)
    )
  }
  return diagnoseIn(parsed, violation)
}

const has = (data: Data | undefined, path: Path): boolean =>
  path.reduce<Data | undefined>((value, part) => (value as Readonly<Record<string, Data>>)?.[part], data) !==
  undefined

const isEmptyMapping = (data: Data | undefined): boolean =>
  typeof data === 'object' && !Array.isArray(data) && Object.keys(data).length === 0
