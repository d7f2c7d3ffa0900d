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
  /** What to write, as a sentence without its period: editors show it, and diagnostics where they know nothing better. */
  readonly patternErrorMessage?: string
  readonly $ref?: string
  readonly definitions?: Readonly<Record<string, Subschema>>
  /** The code of the diagnostic that breaking this subschema means, where the keyword alone doesn't say it. */
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

/** The path from beside a content folder to `schemas`, for an editor's comment; `undefined` if they lie elsewhere. */
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

/** Makes what finds the breaches of a schema, one a value and one a key. To load ajv takes longer than to read 1,000 files. */
export const createValidator = (schema: Subschema, { formats }: Pick<Judge, 'formats'>) => {
  const compiled = once(() => {
    const { Ajv } = require('ajv') as typeof import('ajv')
    // the tests check the schemas in strict mode and against the meta-schema; to skip both here saves half the time
    const options = { strict: false, meta: false, validateSchema: false, code: { optimize: false } }
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

/** What data has to be like: a schema's tests, made ready. Of texts, lists and mappings, those are absent that don't fit. */
type Fit = {
  readonly ofText: ((text: string) => boolean) | undefined
  readonly items: Fit | undefined
  readonly keys: ReadonlyMap<string, Fit> | undefined
  readonly required: readonly string[]
}

/** Says of data whether it surely fits a schema, as nearly all does, at a fraction of what it costs to ask ajv. */
const fitsOf = (judge: Judge) => {
  const made = new WeakMap<Subschema, Fit>()
  return (schema: Subschema, data: Data): boolean => {
    const fit = made.get(schema) ?? createFit(schema, judge)
    made.set(schema, fit)
    return isFitting(fit, data)
  }
}

const isFitting = ({ ofText, items, keys, required }: Fit, data: Data): boolean => {
  if (typeof data === 'string') return ofText?.(data) === true
  if (!isMapping(data)) return items !== undefined && data.every((item) => isFitting(items, item))
  if (keys === undefined) return false
  for (const key in data) {
    const inner = keys.get(key)
    if (inner === undefined || !isFitting(inner, data[key]!)) return false
  }
  return required.every((key) => data[key] !== undefined)
}

export const createFits = (judge: Judge) => ({
  /** Whether data is right for a schema, and what people mean. */
  isMeant: fitsOf(judge),
  /** Whether it is right at least; where the answer is no, ajv decides. */
  isRight: fitsOf({ ...judge, unlikely: () => undefined }),
})

export type Fits = ReturnType<typeof createFits>

const createFit = (schema: Subschema, judge: Judge): Fit => {
  const { type = 'string', items = {}, properties = {}, required = [] } = schema
  const keys = Object.entries(properties).map(
    ([key, inner]) => [key, createFit(inner, judge)] as const,
  )
  return {
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
  const isRight = (text: string): boolean =>
    expression.test(text) && choices?.includes(text) !== false
  // an empty text is nothing that was meant otherwise
  return (text: string): boolean =>
    sure?.test(text) || (isRight(text) && (text === '' || !(problem?.(text) ?? why?.(text))))
}

/** The subschema of a value; an empty one for what the schema doesn't know. */
export const schemaAt = (root: Subschema, path: Path): Subschema =>
  path.reduce<Subschema>(
    (schema, part) => (typeof part === 'number' ? schema.items : schema.properties?.[part]) ?? {},
    root,
  )
