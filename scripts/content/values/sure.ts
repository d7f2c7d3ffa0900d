import { pageHosts } from './unlikely.ts'

// What nearly all values look like: one expression says that they are right, and what people mean. A new line of
// `unlikely` that tells of such a value has no effect before its mark is left out here.

const label = '[a-z0-9]+(?:-[a-z0-9]+)*'
const host = String.raw`(?!localhost|127\.|0\.0\.)(?:${label}\.)+[a-z]+`
const part = String.raw`[\w-]+(?:\.[\w-]+)*`
const ending = String.raw`\.(?:jpe?g|png|webp|gif|avif|svg|zip|pdf)`
/** A path may not begin as an address does. */
const path = String.raw`(?!https?\/)(?:[\w-]+\/)*[\w-]+`
const address = String.raw`(?:https?:\/\/(?!${pageHosts})|\/\/)${host}(?:\/${part})+`

/** What nobody sees, and marks of HTML and escapes. */
const odd = String.raw`\0-\x08\x0b-\x1f<&\\`
/** Those of templates, too. */
const oddInLine = String.raw`\t{$${odd}`
/** Programs write these, or begin so, where they have no value. */
const begin = String.raw`(?!(?:null|nil|undefined|NaN|\[object Object\])$)[^~#`
/** No such mark, no remark after two slashes, and no dash as in a list. */
const without = (marks: string) =>
  String.raw`[^/${marks}-]*(?:(?:-(?! )|(?<!\s)\/|\/(?!\/))[^/${marks}-]*)*`
const letter = String.raw`\w\u00c0-\u05ff\u3040-\u9fff`

/** By the codes of the schemas; `text` is any text. */
const forms: Readonly<Record<string, RegExp>> = {
  text: new RegExp(`^${begin}${odd}]${without(odd)}$`),
  blank: new RegExp(String.raw`^${begin}\s“„«${oddInLine}]${without(oddInLine)}(?<![,;"])$`),
  'bad-word': new RegExp(`^(?!(?:nil|undefined|NaN)$)[${letter}'.&/+:!-]+$`),
  'bad-url': new RegExp(String.raw`^https?:\/\/${host}(?:\/${part})*\/?(?:\?[\w=&-]*)?$`, 'i'),
  'bad-asset': new RegExp(`^(?:${path}|${address})${ending}$`, 'i'),
}

/** The form of values that need no other test, not even the pattern of their schema; `undefined` where there is none. */
export const sureForm = (code = 'text'): RegExp | undefined => forms[code]
