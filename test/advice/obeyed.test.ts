import fc from 'fast-check'
import { expect, test } from 'vitest'
import { timestampsIn } from '../../scripts/advice/dates.ts'
import { createLoader } from '../../scripts/advice/loader.ts'
import type { Data } from '../../scripts/content/parse/data.ts'
import type { Diagnostic } from '../../scripts/problems/diagnostic.ts'
import { rowsOf, texts } from '../tables.ts'
import { fixed, harmOf } from './answers.ts'

// Whoever obeys a hint gets content that is right and says what was typed: no letter and no
// digit of it is lost.

const { loadProfile, loadShot } = createLoader()
const load = (text: string) => loadShot({ file: 'x.yaml', text }, undefined)

const shot = {
  id: 'id: 11',
  title: 'title: Poster',
  date: 'date: 2024-05-01',
  image: 'image: a.png',
}

/** A shot with a line in place of the one with the same key, or below the others. */
const withLine = (key: string, line: string) =>
  `${Object.values({ ...shot, [key]: line }).join('\n')}\n`

/**
 * The lines that a hint tells to write, the likeliest reading first; none where it says
 * something else.
 */
const toWrite = ({ hint = '' }: Diagnostic) => {
  const [, line] = /\bwrite (\w+: .*?)(?:; if it is right.*)?$/s.exec(hint) ?? []
  const first = line?.replace(/ or \w+: .*$/s, '')
  return first === undefined
    ? []
    : [first, first.replace(/;[^;]*$/, ''), first.replace(/;.*$/, '')]
}

/**
 * What of a value people mean: letters and digits, in whatever form, with a sign and a
 * decimal mark; words one by one.
 */
const meaning = (data: Data | undefined) => {
  const plain = (text: string) =>
    text
      .normalize('NFKC')
      .replace(
        /(?<=[\p{L}\p{N}] ?)-|-(?!\d)|(?<!\d)[.,]|[.,](?!\d)|[^\p{L}\p{M}\p{N}.,-]/gu,
        ' ',
      )
      .replace(/ +/g, ' ')
      .trim()
  return Array.isArray(data) ? data.join('¦') : plain(String(data ?? ''))
}

/**
 * What becomes of a key of a shot when what is told of a line is obeyed, in each way that
 * there is.
 */
const outcomes = (key: 'title' | 'price_item' | 'tags' | 'id' | 'image', line: string) => {
  const text = withLine(key, line)
  const { diagnostics, value } = load(text)
  const [told] = diagnostics
  const afterFix = told === undefined ? [] : fixed(text, told)
  const afterHint =
    told === undefined
      ? []
      : toWrite(told)
          .map((one) => withLine(key, one))
          .filter((one) => load(one).value)
  const isGreen = value !== undefined && told === undefined
  const asItIs = isGreen ? [meaning(value[key] as Data)] : []
  return [
    ...asItIs,
    ...[...afterFix, ...afterHint.slice(0, 1)].map((one) =>
      meaning(load(one).value?.[key] as Data),
    ),
  ]
}

const marksBefore = texts(
  '|¦>¦| ¦> ¦|- ¦>+ ¦@¦`¦%¦&¦*¦!¦- ¦? ¦,¦[¦{¦"¦\'¦]¦}¦=¦= ¦> ¦-> ¦« ¦<¦**¦~¦“¦（¦【¦［',
)
const marksBehind = texts(':¦,¦;¦]¦}¦"¦\'¦|¦<¦>¦`¦”¦»¦）¦】¦］¦\\¦ |¦ -¦ ,')
const around = texts('||¦><¦"”¦“”¦“"¦\'’¦[]¦{}¦()¦［］¦【】¦（）¦「」¦«»¦``¦**¦<>¦!!¦%%¦@@')
const separators = texts(
  ':¦ = ¦=¦ -> ¦ => ¦ := ¦ :: ¦ ： ¦：¦ - ¦ – ¦ | ¦;¦; ¦, ¦:\u00a0¦:\u3000¦\t¦ ¦ : ',
)

const mistakenValues = (value: string) => [
  ...marksBefore.map((mark) => mark + value),
  ...marksBehind.map((mark) => value + mark),
  ...around.map(([open, close]) => open + value + close!),
]

test.each([
  ...texts('20 EUR¦-20 EUR¦1 poster¦5.50 €¦Über uns¦お茶 2¦3D tea: two¦1,5 l').map(
    (value) => ['price_item', value],
  ),
  ...rowsOf(`
    id → 5001
    id → 12
    image → https://a.example/b.png
    image → b.png
  `),
])('%s keeps all of %j, however it is marked', (key, value) => {
  const more = texts(' and more¦ | x¦, c.png¦ (x)¦ "x"¦\\n').map(
    (one) => `image: ${value}${one}`,
  )
  const lines = [
    ...mistakenValues(value).map((one) => `${key}: ${one}`),
    ...separators.map((sign) => `${key}${sign}${value}`),
    ...(key === 'image' ? more : []),
  ]
  const lost = lines.flatMap((line) =>
    outcomes(key as 'id', line).flatMap((said) =>
      said === meaning(value) ? [] : [`${line} became ${said}`],
    ),
  )
  expect(lost.slice(0, 20)).toEqual([])
})

const commas = texts(', ¦,¦; ¦;¦、¦，¦، ¦؛ ¦｜¦ | ¦ · ¦ • ¦، ¦；¦､¦﹐¦﹑¦፣ ¦၊ ¦՝ ¦᠂¦߸ ¦꓾¦⹁ ')
const brackets = texts(
  '¦[]¦［］¦【】¦｛｝¦「」¦（）¦()¦{}¦<>¦""¦\'\'¦“”¦〈〉¦〔〕¦《》¦『』¦｢｣¦〖〗¦⟨⟩¦❨❩¦⦅⦆¦‹›¦´´¦＂＂¦〝〞¦‚‘',
)

test.each(brackets)('a list in %j keeps its words, whatever is between them', (pair) => {
  const [open = '', close = ''] = pair
  const lists = texts('poster tea¦ポスター お茶¦ملصق شاي¦3d 2024 c4d')
  const lost = lists.flatMap((words) =>
    commas.flatMap((comma) => {
      const line = `tags: ${open}${words.replaceAll(' ', comma)}${close}`
      return outcomes('tags', line).flatMap((said) =>
        said === words.replaceAll(' ', '¦') ? [] : [`${line} became ${said}`],
      )
    }),
  )
  expect(lost.slice(0, 20)).toEqual([])
})

const betweenTwo = texts(
  ', ¦,¦; ¦;¦ | ¦ / ¦ · ¦ and ¦ & ¦ or ¦ und ¦ + ¦、¦ - ¦, and ¦\n  ¦\n  - ¦,\n  ',
)

test.each(
  rowsOf(`
    website → instagram.com/ana → behance.net/ana
    website → https://ana.example.com → www.b.com
    twitter → twitter.com/ana → twitter.com/bo
    avatar → cdn.example.com/a → cdn.example.com/b.png
    avatar → a.png → shots/b.jpg
  `),
)('%s that holds %s and %s asks which one is meant', (key, one, other) => {
  const [first, second] = [one, other].map((address) =>
    /^(?:\w+\.){1,2}(?:com|net)/.test(address) ? `https://${address}` : address,
  )
  const lines = [
    ...[...betweenTwo, ' '].map((sign) => `${key}: ${one}${sign}${other}`),
    `${key}: "${one}\\n${other}"`,
    `${key}: |\n  ${one}\n  ${other}`,
    `${key}:\n  - ${one}\n  - ${other}`,
    `${key}: [${one}, ${other}]`,
  ]
  const otherwise = lines.filter((line) => {
    const text = `id: 1\nname: Ana\n${line}\n`
    const [told] = loadProfile({ file: 'x.yaml', text }, undefined).diagnostics
    const isAsked = told?.hint?.includes(`write ${key}: ${first} or ${key}: ${second}`)
    return !isAsked || told?.fix !== undefined
  })
  expect(otherwise).toEqual([])
})

const locales = texts(
  'af¦ar¦bg¦bn¦ca¦cs¦cy¦da¦de¦el¦en¦en-US¦es¦et¦eu¦fa¦fi¦fr¦ga¦gl¦he¦hi¦hr¦hu¦hy¦id¦is¦it¦ja¦ka¦ko¦lt¦lv',
  'mk¦ms¦nb¦nl¦pl¦ps¦pt¦ro¦ru¦sk¦sl¦sq¦sr¦sr-Latn¦sv¦sw¦ta¦th¦tr¦uk¦ur¦uz¦vi¦zh',
)

test.each(locales)(
  'a date and a number of %s are read as themselves, or not at all',
  (locale) => {
    const wrong = Array.from(
      { length: 12 },
      (_, month) => new Date(Date.UTC(2024, month, 5)),
    ).flatMap((day) =>
      (['full', 'long', 'medium', 'short'] as const).flatMap((dateStyle) => {
        const options = { dateStyle, timeZone: 'UTC', calendar: 'gregory' } as const
        const written = day.toLocaleDateString(locale, options)
        const read = timestampsIn(written)
        const isRight = read.length === 0 || read.includes(day.toISOString().slice(0, 10))
        return isRight ? [] : [`${written} became ${read.join(' or ')}`]
      }),
    )
    const numbers = [7, 1000, 12_345, 1_234_567].flatMap((number) =>
      outcomes('id', `id: ${number.toLocaleString(locale)}`).filter(
        (id) => id !== String(number),
      ),
    )
    expect([...wrong, ...numbers]).toEqual([])
  },
)

const pieces = texts(
  [
    'Tea¦tin¦poster¦3D¦20¦EUR¦€5.50¦1,5¦Über¦お茶¦R&D¦and¦todo¦a.example/b¦https://a.example/b.png¦www.b.com',
    '@ana¦#tea¦# x¦c.png¦./d e.jpg¦x: y¦12k¦2014¦<b>x</b>¦[shop](https://shop.example.com)¦none¦//',
    'it\'s¦"q"¦“r”¦(s)¦--¦|¦u/v¦１２¦2014-03-01¦[z]',
  ].join('¦'),
)
const keys = texts(
  'title¦description¦alt¦price_item¦tags¦id¦image¦url_purchased¦status¦attachment¦id_project¦draft',
)
const signs = texts(': ¦: ¦: ¦ = ¦=¦ -> ¦:¦：¦ - ¦:\u00a0¦ ¦:\n  - ¦:\n  ¦: - ')

const anyMistake = fc
  .tuple(
    fc.constantFrom(...keys),
    fc.constantFrom(...signs),
    fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 4 }),
    fc.constantFrom(...texts(' ¦ ¦, ¦,¦; ¦ / ¦\n  ¦-')),
    fc.constantFrom('', '', '', ...around),
  )
  .map(([key, sign, words, between, [open = '', close = '']]) => ({
    key,
    line: `${key}${sign}${open}${words.join(between)}${close}`,
  }))

// the same each time: what is new in it is found when it is changed
test('no fix and no answer loses or makes up a word, and each leaves its place right', () =>
  fc.assert(
    fc.property(anyMistake, ({ key, line }) => {
      const text = withLine(key, line)
      for (const problem of load(text).diagnostics)
        expect(harmOf(text, problem, load)).toEqual([])
    }),
    { numRuns: Number(process.env.HINT_RUNS ?? 2000), seed: 1 },
  ))

test.each(
  texts(
    'tags: ^poster, tea^¦tags: ~poster, tea~¦tags: ¿poster, tea?¦tags: poster tea,',
    'tags: poster + tea;¦tags: poster·tea¦tags: 3,5 mm, tea¦tags: 1,000 words',
    'date: 2012-11-10 00:11 PM¦tags: ポスター・お茶¦likes: 0.100¦status: 0,100¦status: 00,100',
    'tags: &poster print',
  ),
)('%s has no one answer', (line) => {
  const text = withLine(line.replace(/:.*/, ''), line)
  expect(load(text).diagnostics.flatMap((one) => fixed(text, one))).toEqual([])
})

test('a date with two digits for the year may begin with it', () =>
  expect(timestampsIn('14/05/05')).toEqual(['2005-05-14', '2014-05-05']))
