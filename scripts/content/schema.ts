import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { once } from './once.ts'
import { type Data, isMapping, type Path } from './parse/data.ts'
import type { Judge } from './values/formats.ts'

/** What Shotpress reads of a subschema. */
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

/** What data breaks of a schema, or what of it people hardly mean. */
export type Breach = {
  readonly path: Path
  readonly keyword: Wrong | 'type' | 'required' | 'additionalProperties'
  /** The key that is missing from, or unknown in, the mapping at the path. */
  readonly key?: string | undefined
}

/** Why a text doesn't do; an unlikely one breaks nothing. */
type Wrong = 'pattern' | 'format' | 'enum' | 'unlikely'

/** Holds data against schemas. Of each value the first thing that is wrong is told, in the order of the data. */
export const createFits = (judge: Judge) => {
  const made = new WeakMap<Subschema, WrongIn>()
  const wrongIn = (schema: Subschema): WrongIn => {
    const known = made.get(schema) ?? createWrongIn(schema, judge)
    made.set(schema, known)
    return known
  }
  const breachesIn = (schema: Subschema, data: Data): readonly Breach[] => {
    const { type = 'string', items = {}, properties = {}, required = [] } = schema
    if (!type.includes(typeOf(data))) return [{ path: [], keyword: 'type' }]
    if (typeof data === 'string') {
      const keyword = wrongIn(schema)(data)
      return keyword ? [{ path: [], keyword }] : none
    }
    const found: Breach[] = []
    const look = (part: string | number, schema: Subschema, value: Data): void => {
      for (const one of breachesIn(schema, value)) found.push({ ...one, path: [part, ...one.path] })
    }
    if (isMapping(data)) {
      for (const key of required)
        if (!Object.hasOwn(data, key)) found.push({ path: [], keyword: 'required', key })
      for (const key in data)
        if (Object.hasOwn(properties, key)) look(key, properties[key]!, data[key]!)
        else found.push({ path: [], keyword: 'additionalProperties', key })
    } else for (const [at, item] of data.entries()) look(at, items, item)
    return found
  }
  return {
    breachesIn,
    /** Whether data is right for a schema, and what people mean. */
    isMeant: (schema: Subschema, data: Data) => breachesIn(schema, data).length === 0,
    /** Whether it is right at least. */
    isRight: (schema: Subschema, data: Data) => !breachesIn(schema, data).some(isBroken),
  }
}

const none: readonly Breach[] = []

export type Fits = Pick<ReturnType<typeof createFits>, 'isMeant' | 'isRight'>

export const isBroken = ({ keyword }: Breach): boolean => keyword !== 'unlikely'

const typeOf = (data: Data): string => {
  if (typeof data === 'string') return 'string'
  return isMapping(data) ? 'object' : 'array'
}

type WrongIn = (text: string) => Wrong | undefined

/** An empty text counts as no key, unless a pattern says otherwise. */
const createWrongIn = ({ pattern = '', ...schema }: Subschema, judge: Judge): WrongIn => {
  const expression = new RegExp(pattern, 'u')
  const problem = judge.formats[schema.format ?? '']
  const why = judge.unlikely(schema['x-code'])
  return (text) => {
    if (!expression.test(text)) return 'pattern'
    if (text !== '' && problem?.(text)) return 'format'
    if (schema.enum?.includes(text) === false) return 'enum'
    return text !== '' && why?.(text) ? 'unlikely' : undefined
  }
}

/** The subschema of a value; an empty one for what the schema doesn't know. */
export const schemaAt = (root: Subschema, path: Path): Subschema =>
  path.reduce<Subschema>(
    (schema, part) => (typeof part === 'number' ? schema.items : schema.properties?.[part]) ?? {},
    root,
  )
