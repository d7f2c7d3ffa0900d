import { suggest } from '../text/suggest.ts'

/** The known key that an unknown one most likely stands for, and the unknown one without accents and marks around it. */
export const meantKey = (
  key: string,
  { known, fitting, isGiven }: Keys,
): { readonly bare: string; readonly suggestion: string | undefined } => {
  if (key.length > longest) return { bare: key, suggestion: undefined }
  const bare = key
    .replace(/<[^>]*>|[^\p{L}\p{N}\p{M} _/.-]/gu, '')
    .replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
  const words = wordsOf(bare)
  const rows = synonyms.filter(([name]) => known.includes(name))
  const others = rows.filter(([, row]) => means(words, row)).map(([name]) => name)
  // one of its words, or the end of one, says what it is: `image_2x`, `nickname`
  const alike = [...rows, ...known.map((name) => [name, wordsOf(name).join(' ')] as const)]
    .filter(([, row]) => words.length < 5 && words.some((word) => isAlike(word, row)))
    .flatMap(([name]) => (fitting.includes(name) && !isGiven(name) ? name : []))
  const isSpelling = known.some((name) => name.toLowerCase() === bare.toLowerCase())
  const near = suggest(bare, fitting)
  if (isSpelling && near !== undefined) return { bare, suggestion: near }
  const fittingOthers = others.filter((one) => fitting.includes(one))
  const candidates = [...fittingOthers, near, ...alike, ...others, suggest(bare, known)].filter(
    (one) => one !== undefined,
  )
  return { bare, suggestion: candidates.find((one) => !isGiven(one)) ?? candidates[0] }
}

type Keys = {
  readonly known: readonly string[]
  /** Those of the known keys that can take a value of its type. */
  readonly fitting: readonly string[]
  readonly isGiven: (key: string) => boolean
}

/** UTF-16 units. A longer key is no slip in one, and to look at it would take long. */
const longest = 100

/** Whether one word of a key is in a row, and all others are, or say nothing: `publish_date`, `about me`. */
const means = (words: readonly string[], row: string): boolean => {
  const said = words.filter((word) => !fillers.has(word))
  return said.length > 0 && said.every((word) => row.split(' ').includes(word))
}

const isAlike = (word: string, row: string): boolean =>
  !fillers.has(word) &&
  row
    .split(' ')
    .some((one) => one === word || (one.length > 3 && (word.startsWith(one) || word.endsWith(one))))

const wordsOf = (key: string): readonly string[] =>
  key
    .replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)

const fillers: ReadonlySet<string> = new Set(
  'the my me of is at in on a an shot work member user profile post item artist display full total number list long short'.split(
    ' ',
  ),
)

/** Other words for keys, in several languages. Of two rows that fit, the first one counts. */
const synonyms: readonly (readonly [key: string, words: string])[] = [
  ['id', 'id nr no number nummer numero identifier'],
  ['draft', 'draft wip unpublished hidden private entwurf brouillon borrador'],
  ['created', 'date day created started begun datum fecha'],
  ['date', 'date day datum fecha data created published publish pub posted time timestamp erstellt'],
  ['title', 'title titel titre titulo titolo heading headline caption name label nombre nom nome'],
  [
    'image',
    'image images img picture pic photo foto bild imagen immagine thumbnail thumb screenshot cover file src url path',
  ],
  ['large_image', 'large big full image img picture hires retina original zoom 2x'],
  ['attachment', 'attachment attachments download pdf zip file files anhang'],
  [
    'tags',
    'tags tag keywords keyword labels categories category hashtags hashtag topics schlagworter stichworte etiquetas mots cles',
  ],
  ['alt', 'alt alternative alttext'],
  ['url_purchased', 'url link shop buy store purchase order'],
  ['price_item', 'price preis prix precio prezzo cost amount'],
  [
    'description',
    'description text body about summary content beschreibung descripcion descrizione notes info',
  ],
  ['name', 'name username title nombre nom nome names first last'],
  ['bio', 'bio biography description text about summary beschreibung descripcion info'],
  ['location', 'location city town place country ort stadt lugar lieu ville where based from'],
  ['skills', 'skills abilities tools tags expertise fahigkeiten'],
  ['cover_image', 'cover banner header background'],
  ['avatar', 'avatar image img picture pic photo foto bild portrait headshot icon'],
  ['twitter', 'twitter x microblog mastodon'],
  ['website', 'website url link site sitio homepage web blog portfolio'],
  ['aliases', 'alias aliases old former previous names usernames'],
  ['base_url', 'base url api domain origin address'],
  ['assets', 'assets asset cdn media files static images'],
]

/** What `draft` is to be where a key such as `published` was given instead; `''` if that isn't what is meant. */
export const saysPublished = (key: string, value: string): string => {
  if (!/^(?:is[ _-]?)?(?:published?|public|visible|online|live)$/i.test(key)) return ''
  return /^(?:true|yes|1)$/i.test(value) ? 'false' : /^(?:false|no|0)$/i.test(value) ? 'true' : ''
}
