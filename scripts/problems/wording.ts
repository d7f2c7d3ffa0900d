import { printable, quote, quotePath } from '../text/printable.ts'
import type { Severity } from './diagnostic.ts'

/**
 * Words with values in them: `{key}` is the value, `"{key}"` the value in quotes. Of a list the
 * first counts whose values are all there. A function where that says too little.
 */
type Wording = string | readonly string[] | ((args: never) => string)

/** An entry of a table of messages, by its code. */
export type Message = {
  readonly severity: Severity
  /** What is wrong: lower case, no final period. */
  readonly message: Wording
  /** What to do, with an example; `''` if there is nothing to say. */
  readonly hint: Wording
}

const made =
  <S extends Severity>(severity: S) =>
  <const M extends Wording, const H extends Wording = ''>(message: M, hint: H = '' as H) => ({
    severity,
    message,
    hint,
  })

export const error = made('error')
export const warning = made('warning')

/** The values that a message and its hint need; `undefined` where the wording never changes. */
export type ArgsOf<M extends Message> = M extends Message
  ? [keyof Needed<M>] extends [never]
    ? undefined
    : Needed<M>
  : never

type Needed<M extends Message> = Values<M['message']> & Values<M['hint']>

type Values<W extends Wording> = W extends (args: infer A) => string
  ? A
  : W extends string
    ? { readonly [K in Keys<W>]: string | number }
    : W extends readonly string[]
      ? { readonly [K in Keys<W[number]>]?: string | number | undefined }
      : never

type Keys<W extends string> = W extends `${string}{${infer K}}${infer Rest}`
  ? K | Keys<Rest>
  : never

/**
 * A message and its hint with their values. A hint is to be copied, so its values are never
 * cut short.
 */
export const worded = ({ message, hint }: Message, args: unknown, quoted = quote) => {
  const advice = said(hint, args, quotePath)
  return { message: said(message, args, quoted), ...(advice !== '' && { hint: advice }) }
}

const said = (
  wording: Wording,
  args: unknown = {},
  quoted: (value: string) => string,
): string => {
  if (typeof wording === 'function') return wording(args as never)
  const values = args as Readonly<Record<string, string | number | undefined>>
  for (const text of typeof wording === 'string' ? [wording] : wording) {
    let isWhole = true
    const filled = partsOf(text).map((part, at, parts) => {
      if (at % 3 !== 2) return at % 3 === 0 ? part : ''
      const value = values[part]
      isWhole &&= value !== undefined
      return parts[at - 1] === '' ? printable(String(value)) : quoted(String(value))
    })
    if (isWhole) return filled.join('')
  }
  throw new Error('no wording can do without what is not known')
}

/**
 * A wording in parts: text; then, again and again, `"` or nothing, the name of a value, and
 * text.
 */
const partsOf = (text: string): readonly string[] => {
  const parts = takenApart.get(text) ?? text.split(/("?)\{(\w+)\}\1/)
  takenApart.set(text, parts)
  return parts
}

/**
 * Kept, as a site may have a mistake in every file. It holds wordings of our tables alone,
 * and nothing of the content.
 */
const takenApart = new Map<string, readonly string[]>()
