import type { Data } from './parse/data.ts'
import type { Subschema } from './schema.ts'

/** Whether a value surely fits a schema. False says that it doesn't, or that this can't tell: then ajv decides. */
export type Fit = (data: Data) => boolean

/** Who says what is wrong with a text: by its format, and by its code, why it is not what people mean though it fits. */
export type Judge = {
  readonly formats: Readonly<Record<string, Format>>
  readonly unlikely: (code: string | undefined) => Format | undefined
}

/** Says what a format finds wrong with a text, in words; `undefined` if nothing. */
export type Format = (text: string) => string | undefined

/** A subschema with all that is understood here of what it may hold. */
type Known = Subschema & { readonly additionalProperties?: unknown }

/**
 * Makes a test of a schema, without references, that says yes to nearly all files at a fraction of the cost of ajv's
 * code: that is large, and V8 would spend more time on optimizing it than most builds take to check their files.
 */
export const createFit = (schema: Known, judge: Judge): Fit => {
  if (!Object.keys(schema).every((key) => understood.has(key))) return unsure
  const text = allows(schema, 'string') ? textFit(schema, judge) : unsure
  const list = allows(schema, 'array') ? listFit(schema, judge) : unsure
  const mapping = allows(schema, 'object') ? mappingFit(schema, judge) : unsure
  return (data) => (typeof data === 'string' ? text(data) : Array.isArray(data) ? list(data) : mapping(data))
}

const unsure = (): boolean => false

/** Keywords whose meaning is known here. All scalars are text, so `minimum` says nothing; nor do the others below. */
const understood: ReadonlySet<string> = new Set(
  (
    'type pattern format enum items properties required additionalProperties minimum ' +
    '$schema definitions title description markdownDescription patternErrorMessage x-code default examples'
  ).split(' '),
)

const allows = ({ type }: Known, name: string): boolean =>
  type === undefined || type === name || (Array.isArray(type) && type.includes(name))

const textFit = (schema: Known, { formats, unlikely }: Judge): Fit => {
  const { pattern, format = '', enum: known } = schema
  const problem = formats[format]
  if (format !== '' && problem === undefined) return unsure
  const expression = pattern === undefined ? undefined : new RegExp(pattern, 'u')
  const why = unlikely(schema['x-code'])
  return (data) =>
    (expression === undefined || expression.test(data as string)) &&
    // an empty text counts as no key, unless a pattern says otherwise
    (problem === undefined || data === '' || problem(data as string) === undefined) &&
    (known === undefined || known.includes(data)) &&
    (why === undefined || why(data as string) === undefined)
}

const listFit = ({ items }: Known, judge: Judge): Fit => {
  const item = items === undefined ? unsure : createFit(items, judge)
  return (data) => {
    for (const one of data as readonly Data[]) if (!item(one)) return false
    return true
  }
}

const mappingFit = ({ properties = {}, required = [], additionalProperties }: Known, judge: Judge): Fit => {
  if (additionalProperties !== false) return unsure
  const known = new Map(
    Object.entries(properties).map(([key, schema]) => [
      key,
      { fits: createFit(schema, judge), isRequired: required.includes(key) },
    ]),
  )
  return (data) => {
    let missing = required.length
    for (const key in data as object) {
      const property = known.get(key)
      if (property === undefined || !property.fits((data as Readonly<Record<string, Data>>)[key]!))
        return false
      if (property.isRequired) missing--
    }
    return missing === 0
  }
}
