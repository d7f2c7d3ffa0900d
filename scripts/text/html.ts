import { escaped } from './printable.ts'

const markup = Symbol('markup')

/** Markup that is safe to stand in a page. Only {@link html} and {@link trusted} make it. */
export type Html = { readonly [markup]: string }

/**
 * What may stand in a template: text (escaped), markup (as it is), lists of both; `undefined`
 * and `false` are nothing.
 */
export type Content = string | number | Html | undefined | false | readonly Content[]

/**
 * A template whose values are text, never markup: in elements, and in attributes within
 * double quotes.
 */
export const html = (literals: TemplateStringsArray, ...values: readonly Content[]): Html => {
  let text = literals[0]!
  for (let at = 0; at < values.length; at++) text += textOf(values[at]) + literals[at + 1]!
  return { [markup]: text }
}

/** Markup of our own, as it is. Never for anything that comes from content. */
export const trusted = (text: string): Html => ({ [markup]: text })

/** The markup's text, to write or to send. */
export const markupOf = (html: Html): string => html[markup]

const textOf = (value: Content): string => {
  if (value === undefined || value === false) return ''
  if (typeof value === 'object')
    return isHtml(value) ? value[markup] : value.map(textOf).join('')
  const text = String(value)
  if (plain.test(text)) return text // most are, and a large site has millions
  return text
    .replace(/\r\n?/g, '\n')
    .replace(unsafe, escaped)
    .replace(special, (char) => entities[char]!)
}

const isHtml = (value: Html | readonly Content[]): value is Html => markup in value

/** Nothing to escape. */
const plain = /^[\t\n !#-%(-;=?-~]*$/

const special = /[&<>"']/g
const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/**
 * What is shown as `\u{…}`: controls but for tab and line feed, lone surrogates,
 * noncharacters that a parser replaces, and the controls that turn the direction of what
 * follows. The marks that scripts need (RLM, LRM, ALM, joiners) stay.
 */
const unsafe = new RegExp(
  [
    /(?![\t\n])\p{Cc}|\p{Cs}/u,
    /[\u202a-\u202e\u2028\u2029\u2060-\u206f]/u,
    /[\ufeff\ufff9-\ufffb\ufdd0-\ufdef\ufffe\uffff]/u,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gu',
)
