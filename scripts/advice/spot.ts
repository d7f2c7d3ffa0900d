import type { Finding } from '../content/load.ts'
import type { Data, Path } from '../content/parse/data.ts'
import { stretchAt } from '../content/parse/tree.ts'
import { type JudgeData, type Subschema, schemaAt } from '../content/schema.ts'

// Where a value belongs, and what is right there.

/** What is found in a file whose data could be read, all of it or a part. */
export type Judged = Omit<Finding, 'data'> & {
  readonly data: Data
  readonly lines: () => readonly string[]
  /**
   * Whether what was meant is looked for: of a file with hundreds of problems, the first ones
   * are enough.
   */
  readonly isAsked: boolean
}

/** For so many problems of one kind in a file, at most, it is looked for what was meant. */
export const mostAsked = 30

/** Where a value belongs: the key that holds it, what the schema asks of it, and who judges. */
export type Spot = {
  readonly judgeData: JudgeData
  readonly key: string
  readonly schema: Subschema
  /** Whether the file is right without it: it is an item of a list, or its key is optional. */
  readonly isItem: boolean
  readonly mayGo: boolean
  readonly isAsked: boolean
}

/** A spot, and the file that it is in. */
export type FileSpot = Spot & { readonly path: Path; readonly file: Judged }

/** Where a path of a file's data leads: that of an item, or of a key's value. */
export const spotAt = (path: Path, file: Judged): FileSpot => {
  const { judgeData, schema, isAsked } = file
  const key = String(path.findLast((part) => typeof part === 'string') ?? '')
  const isItem = typeof path.at(-1) === 'number'
  const mayGo = !schemaAt(schema, path.slice(0, -1)).required?.includes(key)
  const own = schemaAt(schema, path)
  return { judgeData, key, schema: own, isItem, mayGo, isAsked, path, file }
}

/** Whether data is right for a key, be it what people mean or not. */
export const fits = (data: Data, { judgeData, schema }: Spot): boolean =>
  judgeData(data, schema).fits

/** Whether it is right, and what people mean. */
export const isMeant = (data: Data, { judgeData, schema }: Spot): boolean => {
  const { fits, odd } = judgeData(data, schema)
  return fits && odd.length === 0
}

/** Whether a key takes the address of a page or a picture, or the path of a file. */
export const isAddress = ({ format = '' }: Subschema): boolean =>
  /address|asset|picture|base/.test(format)

/** Whether a key takes an id or a count. */
export const isNumber = ({ 'x-code': code = '' }: Subschema) =>
  /^bad-(?:id|count)$/.test(code)

/** A longer text is no slip in one value, and to look for one would take long. */
export const longest = 500

/** More words or entries than these are not written out. */
export const mostWords = 20

/**
 * Whether data has more parts than are written out: each of thousands that are wrong asks for
 * all.
 */
export const isLong = (data: Data) =>
  typeof data !== 'string' && Object.keys(data).length > mostWords

/** Whether a key takes sentences, in lines. */
export const isProse = (key: string) => key === 'description' || key === 'bio'

/** Whether any text will do that is not empty. */
export const isFreeText = ({ 'x-code': code = 'blank' }: Subschema): boolean =>
  code === 'blank'

/** Whether a schema takes a value of this type: a text, a list or keys with values. */
export const takes = ({ type = [] }: Subschema, value: Data): boolean =>
  type.includes(Array.isArray(value) ? 'array' : typeof value)

/** A value as it was typed, with its quotes and brackets. */
export const typedAt = ({ path, file: { parsed, text } }: FileSpot): string => {
  // of what is judged, something was read
  const { from, to } = stretchAt(parsed.tree()!, path, 'value')
  return text.slice(from, to)
}

/** What a schema asks for, in words. */
export const formOf = ({ patternErrorMessage: asked = '' }: Subschema): string =>
  asked.slice(0, 1).toLowerCase() + asked.slice(1)
