import { sizeLimit } from '../../content/layout.ts'
import { assetProblem, isPlainAddress, isWebAddress, parseAddress } from '../../content/values/address.ts'
import { timestampProblem } from '../../content/values/timestamp.ts'
import type { Said } from '../read/said.ts'
import type { Field, Kind } from './fields.ts'

/** Why content can't say what the API does, in words that follow a colon; `undefined` if it can. */
export const problemOf = (
  said: Said,
  { kind, required, neverEmpty }: Pick<Field, 'kind' | 'required' | 'neverEmpty'>,
  { portsAllowed }: { readonly portsAllowed: boolean },
): string | undefined => {
  const { text } = said
  if (text === undefined) {
    if (said.kind === 'missing') return required ? 'it is missing' : undefined
    return said.kind === 'null' ? 'it is null' : 'it is no text'
  }
  if (text.includes('\0')) return 'it holds the character U+0000'
  if (!text.isWellFormed()) return 'it holds half a character (a lone surrogate)'
  if (text.length > sizeLimit) return 'it is longer than a file may be'
  if (text === '' && !required && !neverEmpty && emptyIsNone.includes(kind)) return undefined
  return problems[kind](text, portsAllowed)
}

/** Of these, an empty text says that there is none. */
const emptyIsNone: readonly Kind[] = ['text', 'url', 'words', 'asset']

const problems: Readonly<Record<Kind, (text: string, portsAllowed: boolean) => string | undefined>> = {
  id: (text) => matches(text, /^[1-9][0-9]*$/, 'it is not a whole number from 1 up'),
  name: (text) => (/\S/.test(text) ? undefined : 'it is blank'),
  text: () => undefined,
  url: (text) => (isWebAddress(text) ? undefined : 'it is not an http(s) address'),
  words: (text) => (oddWord.test(text) ? text.split(',').map(wordProblem).find(Boolean) : undefined),
  asset: (text, portsAllowed) => {
    if (text === '') return 'it is empty'
    if (isPlainAddress(text)) return undefined
    return parseAddress(text) === undefined ? 'it is not an address' : assetProblem(text, portsAllowed)
  },
  count: (text) => countProblem(text),
  total: (text) => countProblem(text),
  timestamp: timestampProblem,
  project: (text) => countProblem(text),
  token: (text) => matches(text, /^[0-9a-f]{40}$/, 'it is not 40 characters of 0-9 and a-f'),
}

const matches = (text: string, form: RegExp, problem: string): string | undefined =>
  text === '' ? 'it is empty' : form.test(text) ? undefined : problem

const countProblem = (text: string): string | undefined =>
  matches(text, /^(?:0|[1-9][0-9]*)$/, 'it is not a whole number from 0 up')

/** Finds white space and empty words, which few texts have. */
const oddWord = /\s|(?:^|,)(?:,|$)/

const wordProblem = (word: string): string | undefined => {
  if (word === '') return 'a word in it is empty'
  return /\s/.test(word) ? 'a word in it holds white space' : undefined
}
