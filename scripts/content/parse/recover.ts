import type { YAMLMap } from 'yaml'
import { type Composed, composeFirst, yaml } from './document.ts'
import type { Stretch } from './parse.ts'
import { lineError, type Misread, syntaxError } from './syntax-error.ts'

/** What can be read of a file with a syntax error, and the syntax errors of it that don't follow from each other. */
export type Recovered = {
  /** The entries that are sound, as one mapping; `undefined` if there are none. */
  readonly contents: YAMLMap | undefined
  readonly composed: readonly Composed[]
  /** In the order of the file. */
  readonly errors: readonly Misread[]
}

/** Nobody writes files beyond this size (UTF-16 units) or number of entries by hand; to read them twice is no help. */
export const recoverLimits = { size: 1 << 16, entries: 100 } as const

/**
 * Reads each entry of the outermost mapping by itself, so that a syntax error in one doesn't hide the others.
 * `undefined` for a text that doesn't come apart like that.
 */
export const recover = (text: string, contents: Composed['contents']): Recovered | undefined => {
  if (yaml().isCollection(contents) && (contents.flow || yaml().isSeq(contents))) return undefined
  if (text.length > recoverLimits.size || mergeMark.test(text)) return undefined
  const stretches = entriesOf(text)
  if (stretches.length > recoverLimits.entries) return undefined
  const sound: YAMLMap[] = []
  const composed: Composed[] = []
  const errors: Misread[] = []
  for (const stretch of stretches) {
    const one = composeFirst(text, stretch)
    if ('tooMuch' in one) return undefined
    const error = syntaxError(one.errors, one.contents, text)
    if (error !== undefined) errors.push(error)
    else if (!yaml().isMap(one.contents)) errors.push(lineError(text, stretch.from))
    else {
      composed.push(one)
      sound.push(one.contents as YAMLMap)
    }
  }
  return { contents: joined(sound), composed, errors }
}

/** A merge that was not finished holds every key twice, which is no second mistake. */
const mergeMark = /^(?:<{7}|>{7}) /m

/** A key at the beginning of a line; a space may be missing after its colon, but not before the slashes of a URL. */
const keyLine =
  /^( *)(?:[A-Za-z_][\w-]*[ \t]*:(?=\s|$)|[A-Za-z_]\w*:(?!\/\/)(?=\S)|"[^"\n]*"[ \t]*:(?=\s|$)|'[^'\n]*'[ \t]*:(?=\s|$))/gm

/** The entries of the outermost mapping, each from its key to the next one; what comes before the first key counts as one. */
const entriesOf = (text: string): readonly Stretch[] => {
  const lines = Array.from(text.matchAll(keyLine), ({ index, 1: indent }) => ({
    from: index,
    indent: indent!.length,
  }))
  const outermost = lines.filter(({ indent }) => indent <= lines[0]!.indent)
  const starts = outermost.map(({ from }) => from)
  // comments and `---` in front are no entry
  const hasPreface = /^(?!---)[^\s#]/m.test(text.slice(0, starts[0]))
  return [...(hasPreface ? [0] : []), ...starts].map((from, index, all) => ({
    from,
    to: all[index + 1] ?? text.length,
  }))
}

const joined = ([first, ...others]: readonly YAMLMap[]): YAMLMap | undefined => {
  if (first === undefined) return undefined
  const last = others.at(-1) ?? first
  for (const { items } of others) for (const item of items) first.items.push(item)
  first.range = [first.range![0], last.range![1], last.range![2]]
  return first
}
