import type { Data } from './parse/data.ts'
import type { Subschema } from './schema.ts'

/** Whether a value surely fits a schema. False says that it doesn't, or that this can't tell: then ajv decides. */
export type Fit = (data: Data) => boolean

/** What the test asks of a text: whether it has a format, and why a text with a code is not what people mean. */
type Judges = {
  readonly accepts: Readonly<Record<string, (text: string) => boolean>>
  readonly unlikely: (code: string | undefined) => ((text: string) => string | undefined) | undefined
}

/** A subschema with all that is understood here of what it may hold. */
type Known = Subschema & { readonly additionalProperties?: unknown }

/**
 * Makes a test of a schema, without references, that says yes to nearly all files at a fraction of the cost of ajv's
 * code: that is large, and V8 would spend more time on optimizing it than most builds take to check their files.
 */
export const createFit = (schema: Known, judges: Judges): Fit => {
  if (!Object.keys(schema).every((key) => understood.has(key))) return unsure
  const text = allows(schema, 'string') ? textFit(schema, judges) : unsure
  const list = allows(schema, 'array') ? listFit(schema, judges) : unsure
  const mapping = allows(schema, 'object') ? mappingFit(schema, judges) : unsure
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

const textFit = (schema: Known, { accepts, unlikely }: Judges): Fit => {
  const { pattern, format, enum: known } = schema
  const accept = format === undefined ? undefined : accepts[format]
  if (format !== undefined && accept === undefined) return unsure
  const expression = pattern === undefined ? undefined : new RegExp(pattern, 'u')
  const why = unlikely(schema['x-code'])
  return (data) =>
    (expression === undefined || expression.test(data as string)) &&
    (accept === undefined || accept(data as string)) &&
    (known === undefined || known.includes(data)) &&
    (why === undefined || why(data as string) === undefined)
}

const listFit = ({ items }: Known, judges: Judges): Fit => {
  const item = items === undefined ? unsure : createFit(items, judges)
  return (data) => {
    for (const one of data as readonly Data[]) if (!item(one)) return false
    return true
  }
}

const mappingFit = ({ properties = {}, required = [], additionalProperties }: Known, judges: Judges): Fit => {
  if (additionalProperties !== false) return unsure
  const known = new Map(
    Object.entries(properties).map(([key, schema]) => [
      key,
      { fits: createFit(schema, judges), isRequired: required.includes(key) },
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
