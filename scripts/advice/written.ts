import { isPlain } from '../text/plain.ts'
import { doubleQuoted, printable } from '../text/printable.ts'
import type { Spot } from './spot.ts'

// Values as lines of YAML.

/** The example that a key's schema gives, as a line. */
export const example = ({
  key,
  schema: { examples = [] },
}: Pick<Spot, 'key' | 'schema'>): string => exampleLine(key, examples[0])

/**
 * What to write for a value: `skills: [typography, branding]`, or an item of a list:
 * `lettering`.
 */
export const written = ({ key, isItem }: Spot, value: unknown): string =>
  isItem ? flow(value) : exampleLine(key, value)

/** A line of YAML that gives a key a value: `skills: [typography, branding]`. */
export const exampleLine = (key: string, value: unknown): string => `${key}: ${flow(value)}`

/** A value as it can stand inside brackets. */
export const flow = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(flow).join(', ')}]`
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).map(([key, item]) => exampleLine(key, item))
    return `{ ${entries.join(', ')} }`
  }
  const text = String(value)
  const isSafe = isPlain(text, { inBrackets: true }) && printable(text) === text
  return isSafe ? text : doubleQuoted(text)
}
