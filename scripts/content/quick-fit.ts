import type { Data } from './parse/data.ts'
import type { Subschema } from './schema.ts'

/** Whether a value surely fits a schema. False says that it doesn't, or that this can't tell: then ajv decides. */
export type Fit = (data: Data) => boolean

/** Says of each format whether a text has it. */
type Accepts = Readonly<Record<string, (text: string) => boolean>>

/** A subschema with all that is understood here of what it may hold. */
type Known = Subschema & {
  readonly pattern?: string
  readonly $ref?: string
  readonly definitions?: Readonly<Record<string, Known>>
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, Known>>
  readonly additionalProperties?: unknown
  readonly items?: Known
}

/**
 * Makes a test of a schema that says yes to nearly all files at a fraction of the cost of ajv's code: that is large,
 * and V8 would spend more time on optimizing it than most builds take to check their files.
 */
export const createFit = (schema: Subschema, accepts: Accepts): Fit =>
  fitOf(schema, { accepts, definitions: (schema as Known).definitions ?? {} })

type Context = { readonly accepts: Accepts; readonly definitions: Readonly<Record<string, Known>> }

const fitOf = (schema: Known, context: Context): Fit => {
  const { $ref } = schema
  const others = Object.keys(schema).filter((key) => !notes.has(key))
  if ($ref !== undefined) {
    const target = context.definitions[$ref.replace('#/definitions/', '')]
    return target === undefined || others.length > 1 ? unsure : fitOf(target, context)
  }
  if (!others.every((key) => understood.has(key))) return unsure
  const text = allows(schema, 'string') ? textFit(schema, context) : unsure
  const list = allows(schema, 'array') ? listFit(schema, context) : unsure
  const mapping = allows(schema, 'object') ? mappingFit(schema, context) : unsure
  return (data) => (typeof data === 'string' ? text(data) : Array.isArray(data) ? list(data) : mapping(data))
}

const unsure = (): boolean => false

const understood: ReadonlySet<string> = new Set([
  ...['type', 'pattern', 'format', 'items', 'properties', 'required', 'additionalProperties', 'definitions'],
  // is about numbers, and all scalars are text here
  'minimum',
])

/** Keywords that say nothing about what fits. */
const notes: ReadonlySet<string> = new Set([
  ...['$schema', 'title', 'description', 'markdownDescription', 'patternErrorMessage', 'x-code'],
  ...['default', 'examples'],
])

const allows = ({ type }: Known, name: string): boolean =>
  type === undefined || type === name || (Array.isArray(type) && type.includes(name))

const textFit = ({ pattern, format }: Known, { accepts }: Context): Fit => {
  const accept = format === undefined ? undefined : accepts[format]
  if (format !== undefined && accept === undefined) return unsure
  const expression = pattern === undefined ? undefined : new RegExp(pattern, 'u')
  return (data) =>
    (expression === undefined || expression.test(data as string)) &&
    (accept === undefined || accept(data as string))
}

const listFit = ({ items }: Known, context: Context): Fit => {
  const item = items === undefined ? unsure : fitOf(items, context)
  return (data) => {
    for (const one of data as readonly Data[]) if (!item(one)) return false
    return true
  }
}

const mappingFit = (
  { properties = {}, required = [], additionalProperties }: Known,
  context: Context,
): Fit => {
  if (additionalProperties !== false) return unsure
  const known = new Map(
    Object.entries(properties).map(([key, schema]) => [
      key,
      { fits: fitOf(schema, context), isRequired: required.includes(key) },
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
