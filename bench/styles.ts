import { type DocumentOptions, parse, stringify, type ToStringOptions } from 'yaml'
import type { File } from './site.ts'

type Entries = Readonly<Record<string, unknown>>

const entriesOf = (text: string): Entries => parse(text, { schema: 'failsafe' })

const plain = { schema: 'failsafe', lineWidth: 0 } as const
const inBrackets = { ...plain, collectionStyle: 'flow' } as const

/** A file written anew, with all that it says. */
const written = (text: string, options: ToStringOptions & DocumentOptions): string =>
  stringify(entriesOf(text), { ...plain, ...options })

const isShot = (text: string): boolean => /^title:/m.test(text)

/** Keys that the file doesn't have yet, as lines of their own. */
const withKeys = (text: string, lines: readonly string[]): string => {
  const known = entriesOf(text)
  const added = lines.filter((line) => !(line.slice(0, line.indexOf(':')) in known))
  return [text, ...added.map((line) => `${line}\n`)].join('')
}

/**
 * One file in each of the ways in which people and programs write YAML: the same, or nearly
 * the same, in other bytes.
 */
export const styles: Readonly<Record<string, (text: string) => string>> = {
  ours: (text) => text,
  'empty values': (text) =>
    withKeys(
      text,
      isShot(text)
        ? ["attachment: ''", 'url_purchased: ""', 'price_item:', 'tags: []']
        : ["cover_image: ''", 'Lists:', 'projects: []'],
    ),
  flow: (text) =>
    Object.entries(entriesOf(text))
      .map(([key, value]) =>
        typeof value === 'string'
          ? stringify({ [key]: value }, plain)
          : `${key}: ${stringify(value, inBrackets)}`,
      )
      .join(''),
  block: (text) =>
    written(text, { collectionStyle: 'block', indentSeq: false, blockQuote: 'literal' }),
  quoted: (text) =>
    written(text, { defaultStringType: 'QUOTE_DOUBLE', defaultKeyType: 'QUOTE_DOUBLE' }),
  comments: (text) =>
    text
      .replace(/^(?=\w+:)/gm, '# what follows:\tas agreed\n')
      .replace(/^(?:id|date|image|status|Likes): .*$/gm, '$&  # checked'),
  CRLF: (text) => text.replaceAll('\n', '\r\n'),
  'long texts': (text) => {
    const { description = '', bio = description, ...others } = entriesOf(text)
    const long = String(bio).repeat(8)
    const all = { ...others, [isShot(text) ? 'description' : 'bio']: long }
    return stringify(all, { ...plain, lineWidth: 80, blockQuote: false })
  },
  anchors: (text) =>
    isShot(text)
      ? withKeys(text.replace(/^title: /m, '$&&title '), ['price_item: *title'])
      : text.replace(/^name: /m, '$&&name ').replace(/^location: .*$/m, 'location: *name'),
  'one warning': (text) =>
    isShot(text)
      ? withKeys(text.replace(/^url_purchased: .*$/m, '$&.'), [
          'url_purchased: https://shop.example.com/a.',
        ])
      : withKeys(text.replace(/^website: .*$/m, '$&.'), ['website: https://a.example.com/.']),
}

/** The files of a site in another style, but for site.yaml. */
export const inStyle = (files: Iterable<File>, style: string): readonly File[] =>
  Array.from(files, ({ path, text }) => ({
    path,
    text: path === 'site.yaml' ? text : styles[style]!(text),
  }))
