import {
  exampleHosts,
  fillers,
  ownPages,
  pageHosts,
  strayLine,
  wordsForNothing,
} from './unlikely.ts'

// What nearly all values look like: one expression says that they are right, and what people
// mean. A new line of `unlikely` that tells of such a value has no effect before its mark is
// left out here.

const label = '[a-z0-9]+(?:-[a-z0-9]+)*'
const host = String.raw`(?!localhost|www\.[^.]*(?:\/|$)|127\.|0\.0\.|(?:www\.)?(?:${exampleHosts}|${ownPages}))(?:${label}\.)+[a-z]+`
const part = String.raw`[\w-]+(?:\.[\w-]+)*`
const ending = String.raw`\.(?:jpe?g|png|webp|gif|avif|svg)`
/** A path may not begin as an address does. */
const path = String.raw`(?!https?\/)(?:[\w-]+\/)*[\w-]+`
const address = String.raw`(?:https?:\/\/(?!${pageHosts})|\/\/)${host}(?:\/${part})+`

/** What nobody sees, marks of HTML, Markdown and escapes, and what a wrong encoding leaves. */
const odd = String.raw`\0-\x09\x0b-\x1f~%<&\\*ÃÂ€\ufffd\u2028\u2029\u202d\u202e`
/** Those of templates, too. */
const oddInLine = String.raw`{$\u00ad\u200b\u2060\ufeff${odd}`
/**
 * Programs write these, or begin so, where they have no value, and people where it is still
 * to come.
 */
const begin = String.raw`(?!(?:null|nil|undefined|NaN|\[object Object\])$|TODO|FIXME|TBD)[^#=%{$`
const inAnyCase = wordsForNothing.replace(
  /[a-z]/g,
  (letter) => `[${letter}${letter.toUpperCase()}]`,
)
const onlyNothing = String.raw`\W{0,20}(?:${inAnyCase})?\W{0,20}$`
/**
 * No such mark but Windows' line ends, no remark after two slashes, no dash as in a list, no
 * "#" of a heading, no mark of a merge, and no link of Markdown. No letter can be taken in
 * two ways.
 */
const without = (marks: string) => {
  const most = String.raw`[^/#>\]${marks}-]*`
  return String.raw`${most}(?:(?:\r(?=\n)|[-#>](?! )|\](?!\()|(?<!\s)\/|(?<=\s)\/(?!\/))${most})*`
}
const letter = String.raw`\w\u00c0-\u05ff\u3040-\u9fff`

/** By the codes of the schemas; `text` is any text. */
const forms: Readonly<Record<string, RegExp>> = {
  // nor a heading of Markdown, what `C:\new` becomes in double quotes, or a line of another key
  text: new RegExp(
    [
      String.raw`^(?![A-Za-z]:\n|[Ll]orem|${onlyNothing}|(?:[^\n]*\n)*?${strayLine})`,
      `${begin}${odd}]${without(odd)}(?<![,;])$`,
    ].join(''),
  ),
  blank: new RegExp(
    String.raw`^${begin}\s“„«${oddInLine}]${without(oddInLine)}(?<![,;"]|\.\w{3,4})$`,
  ),
  'bad-word': new RegExp(
    `^(?!(?:nil|undefined|NaN|${fillers}|['.&/+:!-]+)$|-)[${letter}'.&/+:!-]+$`,
  ),
  'bad-url': new RegExp(
    String.raw`^https?:\/\/${host}(?:\/(?!cart|checkout|wp-admin)${part})*\/?(?:\?[\w=&-]*)?$`,
    'i',
  ),
  'bad-asset': new RegExp(`^(?:${path}|${address})${ending}$`, 'i'),
}

/**
 * The form of values that need no other test, not even the pattern of their schema;
 * `undefined` where there is none.
 */
export const sureForm = (code = 'text'): RegExp | undefined => forms[code]
