import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { once } from './once.ts'
import { type Data, isMapping, type Path } from './parse/data.ts'
import type { Judge } from './values/formats.ts'
import { sureForm } from './values/sure.ts'

/** What Shotpress reads of a subschema besides what ajv does with it. */
export type Subschema = {
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly properties?: Readonly<Record<string, Subschema>>
  readonly items?: Subschema
  readonly required?: readonly string[]
  readonly title?: string
  readonly description?: string
  readonly examples?: readonly unknown[]
  readonly pattern?: string
  readonly enum?: readonly unknown[]
  /**
   * What to write, as a sentence without its period: editors show it, and diagnostics where
   * they know nothing better.
   */
  readonly patternErrorMessage?: string
  readonly $ref?: string
  readonly definitions?: Readonly<Record<string, Subschema>>
  /**
   * The code of the diagnostic that breaking this subschema means, where the keyword alone
   * doesn't say it.
   */
  readonly 'x-code'?: string
}

/** A schema as it stands in schemas/, with what its keys refer to filled in; each is read once. */
export const readSchema = (name: SchemaName): Subschema => schemas[name]()

const reads = (name: string) => () => {
  const file = new URL(`../../schemas/${name}.schema.json`, import.meta.url)
  const { definitions = {}, ...schema }: Subschema = JSON.parse(fs.readFileSync(file, 'utf8'))
  const filled = ({ $ref, ...own }: Subschema): Subschema => ({
    ...($ref && definitions[$ref.replace('#/definitions/', '')]),
    ...own,
    ...(own.items && { items: filled(own.items) }),
    ...(own.properties && {
      properties: Object.fromEntries(
        Object.entries(own.properties).map(([key, sub]) => [key, filled(sub)]),
      ),
    }),
  })
  return filled(schema)
}

const schemas = {
  profile: once(reads('profile')),
  shot: once(reads('shot')),
  site: once(reads('site')),
}

export type SchemaName = keyof typeof schemas

/**
 * The path from beside a content folder to `schemas`, for an editor's comment; `undefined` if
 * they lie elsewhere.
 */
export const schemasBeside = (content: string): string | undefined => {
  const below = path.relative(
    path.dirname(content),
    fileURLToPath(new URL('../../schemas', import.meta.url)),
  )
  return below.startsWith('..') || path.isAbsolute(below)
    ? undefined
    : below.split(path.sep).join('/')
}

export type Breach = {
  readonly path: Path
  readonly keyword: string
  /** The key that is missing from, or unknown in, the mapping at the path. */
  readonly key: string | undefined
}

/**
 * Makes what finds the breaches of a schema, one a value and one a key. To load ajv takes
 * longer than to read 1,000 files.
 */
export const createValidator = (schema: Subschema, { formats }: Judge) => {
  const compiled = once(() => {
    const { Ajv } = require('ajv') as typeof import('ajv')
    // the tests check the schemas in strict mode and against the meta-schema; to skip both
    // here saves half the time
    const options = {
      strict: false,
      meta: false,
      validateSchema: false,
      code: { optimize: false },
    }
    const ajv = new Ajv({ ...options, allErrors: true })
    // an empty text counts as no key, unless a pattern says otherwise
    for (const [name, problem] of Object.entries(formats))
      ajv.addFormat(name, (text) => text === '' || problem(text) === undefined)
    return ajv.compile(schema)
  })
  return (data: Data): readonly Breach[] => {
    const validate = compiled()
    validate(data)
    const breaches = new Map<string, Breach>()
    for (const { instancePath, keyword, params } of validate.errors ?? []) {
      if (toldByRules.has(keyword)) continue
      const key: string | undefined = params.missingProperty ?? params.additionalProperty
      const id = JSON.stringify([instancePath, key])
      if (!breaches.has(id)) breaches.set(id, { path: pathOf(instancePath), keyword, key })
    }
    // they are held by the function, and a stranger's file can have 350,000
    validate.errors = null
    return [...breaches.values()]
  }
}

/** Editors know no better place than the list; a rule tells which of its items is too many. */
const toldByRules: ReadonlySet<string> = new Set(['maxItems', 'uniqueItems'])

const require = createRequire(import.meta.url)

/** Reads a JSON pointer. A number in it is a position: no key of the schemas is one. */
const pathOf = (pointer: string): Path =>
  pointer
    .split('/')
    .slice(1)
    .map((part) =>
      /^\d+$/.test(part) ? Number(part) : part.replaceAll('~1', '/').replaceAll('~0', '~'),
    )

/** A text that is right by its form, and why no person means it, in words. */
export type Odd = {
  readonly text: string
  readonly path: (string | number)[]
  readonly schema: Subschema
  readonly why: string
}

type Verdict = {
  /** Whether the data surely fits; where it is not sure, ajv decides. */
  readonly fits: boolean
  readonly odd: readonly Odd[]
}

/**
 * What data has to be like: a schema's tests, made ready. Of texts, lists and mappings, those
 * are absent that don't fit.
 */
type Fit = {
  readonly schema: Subschema
  /** Whether a text fits; or that it does, and why no person means it. */
  readonly ofText: ((text: string) => boolean | string) | undefined
  readonly items: Fit | undefined
  readonly keys: ReadonlyMap<string, Fit> | undefined
  readonly required: readonly string[]
}

/**
 * Makes what holds data against schemas: nearly all fits, and to see that takes a fraction of
 * what it costs to ask ajv.
 */
export const createJudgeData = (judge: Judge) => {
  const made = new WeakMap<Subschema, Fit>()
  return (data: Data, schema: Subschema): Verdict => {
    const fit = made.get(schema) ?? createFit(schema, judge)
    made.set(schema, fit)
    const odd: Odd[] = []
    return { fits: isFitting(fit, data, odd), odd }
  }
}

export type JudgeData = ReturnType<typeof createJudgeData>

/** Looks at all that the schema knows, and adds what is odd. */
const isFitting = (fit: Fit, data: Data, odd: Odd[]): boolean => {
  if (typeof data === 'string') {
    const found = fit.ofText?.(data) ?? false
    if (typeof found !== 'string') return found
    odd.push({ text: data, path: [], schema: fit.schema, why: found })
    return true
  }
  if (!isMapping(data)) return areFitting(fit.items, data, odd)
  if (fit.keys === undefined) return false
  let fits = true
  for (const key in data) {
    const inner = fit.keys.get(key)
    const known = odd.length
    if (inner === undefined || !isFitting(inner, data[key]!, odd)) fits = false
    if (odd.length > known) placeBelow(key, odd, known)
  }
  return fits && fit.required.every((key) => data[key] !== undefined)
}

const areFitting = (fit: Fit | undefined, list: readonly Data[], odd: Odd[]): boolean => {
  if (fit === undefined) return false
  let fits = true
  // entries() would take a third of the time that all of this does
  for (let at = 0; at < list.length; at++) {
    const known = odd.length
    if (!isFitting(fit, list[at]!, at < mostOdd ? odd : [])) fits = false
    if (odd.length > known) placeBelow(at, odd, known)
  }
  return fits
}

/** A stranger's list can have any number. */
const mostOdd = 1000

/** Those that were found last lie below a key, or a place in a list. */
const placeBelow = (part: string | number, odd: readonly Odd[], known: number): void => {
  for (const { path } of odd.slice(known)) path.unshift(part)
}

const createFit = (schema: Subschema, judge: Judge): Fit => {
  const { type = 'string', items = {}, properties = {}, required = [] } = schema
  const keys = Object.entries(properties).map(
    ([key, inner]) => [key, createFit(inner, judge)] as const,
  )
  return {
    schema,
    ofText: type.includes('string') ? createTest(schema, judge) : undefined,
    items: type.includes('array') ? createFit(items, judge) : undefined,
    keys: type.includes('object') ? new Map(keys) : undefined,
    required,
  }
}

const createTest = (schema: Subschema, judge: Judge) => {
  const { pattern = '', format = '', enum: choices, 'x-code': code } = schema
  const sure = sureForm(code)
  const expression = new RegExp(pattern, 'u')
  const problem = judge.formats[format]
  const why = judge.unlikely(code, format)
  return (text: string): boolean | string => {
    if (sure?.test(text)) return true
    if (!expression.test(text) || choices?.includes(text) === false) return false
    // an empty text is nothing that was meant otherwise
    if (text === '') return true
    return problem?.(text) === undefined && (why?.(text) ?? true)
  }
}

/** The subschema of a value; an empty one for what the schema doesn't know. */
export const schemaAt = (root: Subschema, path: Path): Subschema =>
  path.reduce<Subschema>(
    (schema, part) =>
      (typeof part === 'number' ? schema.items : schema.properties?.[part]) ?? {},
    root,
  )
