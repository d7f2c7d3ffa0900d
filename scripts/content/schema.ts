import { createRequire } from 'node:module'
import type { ErrorObject, ValidateFunction } from 'ajv'
import type { Data } from './parse/data.ts'
import type { Path } from './rules/violation.ts'

/** The schemas of the files that people write, in schemas/. */
export type SchemaName = 'profile' | 'shot' | 'site'

/** What Shotpress reads of a subschema besides what ajv does with it. */
export type Subschema = {
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly properties?: Readonly<Record<string, Subschema>>
  readonly items?: Subschema
  readonly examples?: readonly unknown[]
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

/** Says what a format finds wrong with a text, in words; `undefined` if nothing. */
export type Format = (text: string) => string | undefined

export type Validator = {
  readonly schema: Subschema
  /** Every breach, one a value; none if the data fits. */
  readonly breaches: (data: Data) => readonly Breach[]
}

/** Makes the validator of a schema. Loads ajv and compiles: some 20 ms the first time, 5 ms from then on. */
export const createValidator = (name: SchemaName, formats: Readonly<Record<string, Format>>): Validator => {
  const require = createRequire(import.meta.url)
  const { Ajv } = require('ajv') as typeof import('ajv')
  const schema = require(`../../schemas/${name}.schema.json`) as Subschema
  const ajv = new Ajv({
    allErrors: true,
    verbose: true,
    // the schemas are held to the strict mode and the meta-schema by the tests, which saves half the time here
    strict: false,
    meta: false,
    validateSchema: false,
    code: { optimize: false },
    // an empty text is as good as no key; where it isn't, a pattern says so
    formats: Object.fromEntries(
      Object.entries(formats).map(([format, problem]) => [
        format,
        (text: string) => text === '' || problem(text) === undefined,
      ]),
    ),
  })
  const validate = ajv.compile(schema) as ValidateFunction
  return { schema, breaches: (data) => (validate(data) ? [] : onePerValue(validate.errors!).map(breach)) }
}

/** A value that breaks several keywords of its subschema is wrong once. */
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
