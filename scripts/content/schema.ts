import { hash } from 'node:crypto'
import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ErrorObject, Options, ValidateFunction } from 'ajv'
import { once } from './once.ts'
import type { Data } from './parse/data.ts'
import { createFit, type Fit, type Judge } from './quick-fit.ts'
import type { Path } from './rules.ts'

/** The schemas of the files that people write, in schemas/. */
export type SchemaName = 'profile' | 'shot' | 'site'

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

/** One way in which data breaks a schema. */
export type Breach = {
  readonly path: Path
  readonly keyword: string
  /** The subschema that holds the keyword. */
  readonly schema: Subschema
  /** The key that is missing from, or unknown in, the mapping at the path. */
  readonly key?: string
}

export type Validator = {
  /** With what its keys refer to filled in. */
  readonly schema: Subschema
  /** Says yes to nearly all data that fits, and is what people mean; see quick-fit.ts. */
  readonly surelyFits: Fit
  /** The first breaches, one a value, and how many there are; none if the data fits. */
  readonly breaches: (data: Data) => { readonly first: readonly Breach[]; readonly count: number }
}

/**
 * Makes the validator of a schema: from schemas/compiled.cjs, where `npm run schemas` has left its code, or else, if
 * the schema was changed since, with ajv. To load ajv and to compile takes some 50 ms for every build.
 * Most data is found right without either.
 */
export const createValidator = (name: SchemaName, judge: Judge): Validator => {
  const schema = readSchema(name)
  const validate = once(() => createAjv(name, judge))
  return {
    schema,
    surelyFits: createFit(schema, judge),
    breaches: (data) => {
      const errors = validate()(data) ? [] : onePerValue(validate().errors!)
      // they are held by the function, and a stranger's file can have 350,000
      validate().errors = null
      return { first: errors.slice(0, mostProblems).map(breach), count: errors.length }
    },
  }
}

/** The most problems of one file that are shown: more are no help to anyone. */
export const mostProblems = 500

const createAjv = (name: SchemaName, { formats }: Judge): ValidateFunction => {
  const text = schemaText(name)
  // an empty text counts as no key, unless a pattern says otherwise
  const accepts = Object.fromEntries(
    Object.entries(formats).map(([format, problem]) => [
      format,
      (value: string) => value === '' || problem(value) === undefined,
    ]),
  )
  const compiled = (require('../../schemas/compiled.cjs') as Partial<CompiledSchemas>)[name]
  return compiled?.digest === digestOf(text) ? compiled.create(accepts) : compile(JSON.parse(text), accepts)
}

/** A schema as it stands in schemas/, with what its keys refer to filled in. */
export const readSchema = (name: SchemaName): Subschema => filledIn(JSON.parse(schemaText(name)))

const filledIn = (schema: Subschema): Subschema => {
  const filled = ({ $ref, ...own }: Subschema): Subschema => ({
    ...($ref && schema.definitions?.[$ref.replace('#/definitions/', '')]),
    ...own,
    ...(own.items && { items: filled(own.items) }),
    ...(own.properties && {
      properties: Object.fromEntries(Object.entries(own.properties).map(([key, sub]) => [key, filled(sub)])),
    }),
  })
  return filled(schema)
}

/**
 * The path from the folder that holds a content folder to the schemas, as an editor's comment may name it:
 * `schemas`, or `node_modules/shotpress/schemas`. `undefined` if Shotpress is installed elsewhere.
 */
export const schemasBeside = (content: string): string | undefined => {
  const below = path.relative(path.dirname(content), fileURLToPath(new URL('../../schemas', import.meta.url)))
  return below.startsWith('..') || path.isAbsolute(below) ? undefined : below.split(path.sep).join('/')
}

const schemaText = (name: SchemaName): string =>
  fs.readFileSync(new URL(`../../schemas/${name}.schema.json`, import.meta.url), 'utf8')

const require = createRequire(import.meta.url)

/** Schemas as code, each with the sha256 of the text that it was made from. */
type CompiledSchemas = Readonly<
  Record<SchemaName, { readonly digest: string; readonly create: (accepts: Accepts) => ValidateFunction }>
>

/** Says of each format whether a text has it. */
type Accepts = Readonly<Record<string, (value: string) => boolean>>

/** The options of ajv, wherever it is used. */
export const ajvOptions: Options = {
  allErrors: true,
  verbose: true,
  // the tests check the schemas in strict mode and against the meta-schema; to skip both here saves half the time
  strict: false,
  meta: false,
  validateSchema: false,
}

const compile = (schema: Subschema, accepts: Accepts): ValidateFunction => {
  const { Ajv } = require('ajv') as typeof import('ajv')
  return new Ajv({ ...ajvOptions, formats: accepts, code: { optimize: false } }).compile(schema)
}

/** The fingerprint of a schema's text. */
export const digestOf = (text: string): string => hash('sha256', text)

/** A value that breaks several keywords of its subschema is reported once. */
const onePerValue = (errors: readonly ErrorObject[]): readonly ErrorObject[] => {
  const seen = new Set<string>()
  return errors.filter((error) => {
    if (keyOf(error) !== undefined) return true
    if (seen.has(error.instancePath)) return false
    seen.add(error.instancePath)
    return true
  })
}

const breach = (error: ErrorObject): Breach => {
  const key = keyOf(error)
  return {
    path: pathOf(error.instancePath),
    keyword: error.keyword,
    schema: error.parentSchema as Subschema,
    ...(key !== undefined && { key }),
  }
}

const keyOf = ({ params }: ErrorObject): string | undefined =>
  params.missingProperty ?? params.additionalProperty

/** Reads a JSON pointer. A number in it is a position: no key of the schemas is one. */
const pathOf = (pointer: string): Path =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part.replaceAll('~1', '/').replaceAll('~0', '~')))
