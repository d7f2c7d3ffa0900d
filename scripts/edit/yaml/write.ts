import type { Scalar } from 'yaml'
import type { Data } from '../../content/parse/data.ts'
import type { Subschema } from '../../content/schema.ts'
import { isDeviceName } from '../../content/username.ts'
import * as plain from '../../text/plain.ts'
import { doubleQuoted, unsafe } from '../../text/printable.ts'

type Writing = {
  /**
   * What the schema says of the value; a plain scalar may be the integer or the boolean that
   * it allows.
   */
  readonly schema?: Subschema | undefined
  /** The style that it has now, kept where it can say the new text. */
  readonly style?: Scalar.Type | undefined
  /** Whether it stands between brackets or braces. */
  readonly flow?: boolean
  /** Spaces before the key that the value belongs to. */
  readonly column?: number
}

/**
 * Writes a text as a person with care would: plain if every reader takes it for this text,
 * else in quotes.
 */
export const writeScalar = (text: string, options: Writing = {}): string => {
  const { style = 'PLAIN', flow = false, column = 0 } = options
  if (style === 'PLAIN' && isPlain(text, options)) return text
  const wantsBlock =
    style.startsWith('BLOCK') || (text.includes('\n') && style !== 'QUOTE_DOUBLE')
  if (wantsBlock && !flow && isBlock(text)) return block(text, ' '.repeat(column + 2))
  if (style === 'QUOTE_SINGLE' && !/[\n\t]/.test(text) && !isUnsafe(text))
    return `'${text.replaceAll("'", "''")}'`
  return doubleQuoted(text)
}

/**
 * Whether every reader takes it for this text without quotes: the build, and editors, which
 * know numbers and booleans.
 */
const isPlain = (text: string, { flow = false, schema: { type = [] } = {} }: Writing) => {
  if (isUnsafe(text) || !plain.isPlain(text, { inBrackets: flow })) return false
  if (type.includes('integer') && /^(?:0|[1-9][0-9]*)$/.test(text)) return true
  if (type.includes('boolean') && /^(?:true|false)$/.test(text)) return true
  return !otherTypes.test(text)
}

/**
 * What the core schema of YAML 1.2, or YAML 1.1, doesn't take for text. No reader in use here
 * makes a date of a text.
 */
const otherTypes = new RegExp(
  `^(?:${[
    String.raw`~|null|true|false|yes|no|on|off|y|n|[-+]?\.inf|\.nan|<<|=`,
    String.raw`[-+.]?\d[\d_]*|0[box][\da-f_]+|\d+(?::\d+)+(?:\.\d*)?`,
    String.raw`[-+]?(?:\.\d+|\d[\d_]*(?:\.[\d_]*)?)(?:e[-+]?\d+)?`,
  ].join('|')})$`,
  'i',
)

/** Most texts are of printable ASCII characters other than `#`, which is quick to see. */
const isUnsafe = (text: string) => !/^[ !"$-~]*$/.test(text) && text.search(unsafe) !== -1

/**
 * Whether a block scalar can say it, with nothing at the end of a line or of the text that an
 * editor would take away.
 */
const isBlock = (text: string) =>
  /\S/.test(text) &&
  !isUnsafe(text.replace(/[\n\t]/g, '')) &&
  !/[ \t](?:\n|$)|^\n*[ \t]|\n\n$/.test(text)

const block = (text: string, margin: string) => {
  const lines = text.replace(/\n$/, '').replace(/(?<=^|\n)(?=[^\n])/g, margin)
  return `|${text.endsWith('\n') ? '' : '-'}\n${lines}`
}

/**
 * What follows a key's colon, with the space or line feed in front; lines end with `\n`, the
 * last with nothing.
 */
export const writeValue = (
  data: Data,
  { schema, style, column = 0 }: Omit<Writing, 'flow'> = {},
): string => {
  if (typeof data === 'string') return ` ${writeScalar(data, { schema, style, column })}`
  const below = { schema, column: column + 2 }
  if (!Array.isArray(data))
    return Object.keys(data).length === 0 ? ' {}' : `\n${writeEntries(data, below)}`
  // quotes only make it longer
  const mayBeShort =
    data.every((item: Data) => typeof item === 'string') && data.join(', ').length <= 78
  const flow = mayBeShort ? writeFlow(data, schema) : undefined
  return flow !== undefined && flow.length <= 80
    ? ` ${flow}`
    : data
        .map((item: Data) => `\n${writeItem(item, { ...below, schema: schema?.items })}`)
        .join('')
}

type Position = Pick<Writing, 'schema' | 'style' | 'column'>

/** An entry of a block mapping: its key, the colon and the value. The schema is the mapping's. */
export const writeEntry = (
  key: string,
  data: Data,
  { schema, style, column = 0 }: Position,
): string =>
  `${' '.repeat(column)}${key}:${writeValue(data, { schema: schema?.properties?.[key], style, column })}`

const writeEntries = (data: Data, position: Position) =>
  Object.entries(data)
    .map(([key, value]) => writeEntry(key, value, position))
    .join('\n')

/** An item of a block list whose dashes stand at `column`; the schema is the item's. */
export const writeItem = (item: Data, { schema, column = 0 }: Position): string => {
  const written =
    typeof item === 'string' || Array.isArray(item)
      ? writeFlow(item, schema)
      : writeEntries(item, { schema, column: column + 2 }).trimStart()
  return `${' '.repeat(column)}- ${written}`
}

/** A value as it stands between brackets; a text in this style. */
export const writeFlow = (
  data: Data,
  schema: Subschema | undefined,
  style?: Scalar.Type,
): string => {
  if (typeof data === 'string') return writeScalar(data, { flow: true, schema, style })
  if (Array.isArray(data))
    return `[${data.map((item: Data) => writeFlow(item, schema?.items)).join(', ')}]`
  const entries = Object.entries(data).map(
    ([key, value]) => `${key}: ${writeFlow(value, schema?.properties?.[key])}`,
  )
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`
}

/**
 * A text as a part of a file name: marks dropped, letters that are no letter with a mark
 * spelt out, lower case, one `-` for each run of other characters than a-z and 0-9, at most
 * 60 characters. Empty if nothing is left, as of a title in another script.
 */
export const slug = (text: string): string =>
  (/^[ -~]*$/.test(text) ? text : text.normalize('NFKD').replace(/\p{M}/gu, ''))
    .toLowerCase()
    .replace(/[ßæœøłđþðı]/g, (letter) => spelt[letter] ?? letter)
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, 60)
    .replace(/-$/, '')

/** Letters that Unicode doesn't take apart. */
const spelt: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  þ: 'th',
  ð: 'd',
  ı: 'i',
}

/**
 * What a file's name takes from others: two files that differ only in their endings would
 * confuse people.
 */
export const takenBy = (name: string): string => name.toLowerCase().replace(/\.[a-z]+$/, '')

/**
 * The name of a new shot's file where these are {@link takenBy} others: `<slug>.yaml`; if
 * that is taken or there is no slug, `<slug>-<id>.yaml` or `<id>.yaml`.
 */
export const shotFileName = (
  { id, title }: { readonly id: string; readonly title: string },
  taken: ReadonlySet<string> = new Set(),
): string => {
  const isFree = (name: string) => !taken.has(name) && !isDeviceName(name)
  const short = slug(title)
  if (short !== '' && isFree(short)) return `${short}.yaml`
  const long = short === '' ? id : `${short}-${id}`
  let name = long
  for (let count = 2; !isFree(name); count++) name = `${long}-${count}`
  return `${name}.yaml`
}
