import { unsafe } from '../../text/printable.ts'

/** How a text is written in YAML. */
export type Style = 'plain' | 'single' | 'double' | 'literal' | 'folded'

export type ScalarOptions = {
  /** The style that it has now, kept where it can say the new text. */
  readonly style?: Style | undefined
  /** What a plain scalar may be besides text, as the schema of its key says: `integer`, `boolean`. */
  readonly types?: readonly string[]
  /** Whether it stands between brackets or braces. */
  readonly flow?: boolean
  /** Spaces before each line of a text of several lines. */
  readonly indent?: number
}

/** Writes a text as a person with care would: plain if every reader takes it for this text, else in quotes. */
export const writeScalar = (text: string, options: ScalarOptions = {}): string => {
  const { style = 'plain', flow = false, indent = 2 } = options
  if (style === 'plain' && isPlain(text, options)) return text
  if (text.includes('\n') && !flow && style !== 'double' && isBlock(text))
    return block(text, { style, indent })
  if (/[\n\t]/.test(text) || isUnsafe(text)) return doubleQuoted(text)
  switch (style) {
    case 'single':
      return `'${text.replaceAll("'", "''")}'`
    case 'plain':
    case 'double':
      return doubleQuoted(text)
    case 'literal':
    case 'folded':
      return isBlock(text) ? block(text, { style, indent }) : doubleQuoted(text)
    default:
      return style satisfies never
  }
}

/** Whether every reader takes it for this text without quotes: the build, and editors, which know numbers and booleans. */
export const isPlain = (text: string, { flow = false, types = [] }: ScalarOptions): boolean => {
  if (isUnsafe(text) || !/^[^-?:,[\]{}#&*!|>'"%@`\s]/.test(text)) return false
  if (/: |:$| #|\s$|[\t\n]/.test(text) || (flow && /[,[\]{}]|:(?=,)/.test(text))) return false
  if (types.includes('integer') && /^(?:0|[1-9][0-9]*)$/.test(text)) return true
  if (types.includes('boolean') && /^(?:true|false)$/.test(text)) return true
  return !otherTypes.test(text)
}

/** What the core schema of YAML 1.2, or YAML 1.1, doesn't take for text. No reader in use here makes a date of a text. */
const otherTypes =
  /^(?:~|null|true|false|yes|no|on|off|y|n|[-+.]?\d[\d_]*|[-+]?(?:\.\d+|\d[\d_]*\.?[\d_]*)(?:e[-+]?\d+)?|0[box][\da-f_]+|\d+(?::\d+)+(?:\.\d*)?|[-+]?\.inf|\.nan|<<|=)$/i

/** Most texts are of printable ASCII characters other than `#`, which is quick to see. */
const isUnsafe = (text: string): boolean => !/^[ !"$-~]*$/.test(text) && text.search(unsafe) !== -1

const doubleQuoted = (text: string): string =>
  JSON.stringify(text).replace(unsafe, (char) => {
    const hex = char.codePointAt(0)!.toString(16).toUpperCase()
    return hex.length > 4 ? `\\U${hex.padStart(8, '0')}` : `\\u${hex.padStart(4, '0')}`
  })

/** Whether a block scalar can say it, with nothing at the end of a line or of the text that an editor would take away. */
const isBlock = (text: string): boolean =>
  /\S/.test(text) && !isUnsafe(text.replaceAll('\n', '')) && !/[ \t](?:\n|$)|^\n*[ \t]|\t|\n\n$/.test(text)

const block = (
  text: string,
  { style, indent }: { readonly style: Style; readonly indent: number },
): string => {
  const lines = text.replace(/\n$/, '').split('\n')
  const chomping = text.endsWith('\n') ? '' : '-'
  const folded = style === 'folded' && lines.every((line) => /^\S/.test(line))
  const margin = ' '.repeat(indent)
  const body = folded ? lines.flatMap((line) => ['', ...fold(line, 80 - indent)]).slice(1) : lines
  return `${folded ? '>' : '|'}${chomping}${body.map((line) => (line === '' ? '\n' : `\n${margin}${line}`)).join('')}`
}

/** Breaks a line where one space stands between two words, if it is longer than that many characters. */
const fold = (line: string, width: number): readonly string[] => {
  const lines: string[] = []
  let current = ''
  for (const word of line.split(/(?<=\S) (?=\S)/)) {
    if (current !== '' && current.length + 1 + word.length > width) {
      lines.push(current)
      current = word
    } else {
      current += current === '' ? word : ` ${word}`
    }
  }
  return [...lines, current]
}
