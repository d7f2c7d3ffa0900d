import fs from 'node:fs'
import path from 'node:path'
import { familyNames, givenNames, places, sentences, titles, words } from './words.ts'

type SiteOptions = {
  readonly members: number
  /** Shots a member on average; some have none, some three times as many. */
  readonly shots: number
  readonly seed: number
}

export type File = {
  /** Below the content folder. */
  readonly path: string
  readonly text: string
}

/** Writes the files of a content folder. */
export const writeSite = (folder: string, files: Iterable<File>): void => {
  for (const { path: below, text } of files) {
    const file = path.join(folder, below)
    fs.mkdirSync(path.dirname(file), { recursive: true })
    fs.writeFileSync(file, text)
  }
}

/**
 * A synthetic content folder, file by file, a member's files together. The seed decides every
 * byte.
 */
export function* site(options: SiteOptions): Generator<File> {
  yield { path: 'site.yaml', text: siteYaml }
  let shotId = 100_000
  for (let index = 0; index < options.members; index++) {
    const dice = random(options.seed, index)
    const member = memberOf(dice, index, options.shots)
    const folder = `members/${member.username}`
    yield { path: `${folder}/profile.yaml`, text: profileYaml(dice, member) }
    for (let shot = 1; shot <= member.shots; shot++) {
      shotId++
      yield {
        path: `${folder}/shots/${shotName(dice, shot)}`,
        text: shotYaml(dice, member, shotId),
      }
    }
  }
}

type Member = ReturnType<typeof memberOf>

const siteYaml = `# A synthetic site for the benchmark
base_url: https://api.example.com
assets: https://assets.example.com
defaults:
  type_account: 1
  status: 1
`

const memberOf = (dice: Random, index: number, shots: number) => {
  const given = dice.pick(givenNames)
  const family = dice.pick(familyNames)
  const letters = `${given}-${family}`.normalize('NFD').replaceAll(/[^A-Za-z-]/g, '')
  const id = index + 1
  return {
    id,
    username: `${letters.toLowerCase()}-${id}`,
    name: `${given} ${family}`,
    language: dice.pick(sentences),
    shots: shotCount(dice, shots),
    projects: dice.chance(0.3)
      ? Array.from({ length: dice.between(1, 3) }, (_, i) => id * 10 + i)
      : [],
  }
}

/**
 * 6 in 100 members have no shots, 4 have three times the average, the others spread so that
 * it comes out.
 */
const shotCount = (dice: Random, average: number): number => {
  const kind = dice.between(1, 100)
  if (kind <= 6) return 0
  if (kind <= 10) return average * 3
  const rest = (average * 88) / 90
  return dice.between(Math.min(1, average), Math.max(0, Math.round(rest * 2) - 1))
}

const profileYaml = (dice: Random, member: Member): string =>
  lines(
    `id: ${member.id}`,
    `name: ${dice.chance(0.2) ? quoted(member.name) : member.name}`,
    `location: ${dice.pick(places)}`,
    dice.chance(0.6) &&
      `twitter: https://twitter.com/${member.username.replaceAll('-', '_')}`,
    dice.chance(0.7) && `website: https://${member.username}.example.com/`,
    ...prose('bio', dice, member.language, dice.between(1, 3)),
    ...list('skills', dice, dice.between(2, 6)),
    `avatar: avatars/${member.username}.jpg`,
    dice.chance(0.5) && `cover_image: https://covers.example.com/${member.id}/wide.jpg`,
    `totalFollowers: ${dice.between(0, 9000)}`,
    `totalFollowing: ${dice.between(0, 900)}`,
    `Likes: ${dice.between(0, 20_000)}`,
    dice.chance(0.5) && `Lists: ${dice.between(0, 40)}`,
    dice.chance(0.5) && `Listed: ${dice.between(0, 400)}`,
    dice.chance(0.1) && `totalShots: ${member.shots + dice.between(1, 200)}`,
    member.projects.length > 0 && 'projects:',
    ...member.projects.flatMap((id) => [`  - id: ${id}`, `    created: ${timestamp(dice)}`]),
  )

const shotYaml = (dice: Random, member: Member, id: number): string => {
  const name = `${member.username}/${id}`
  const title = dice.pick(titles)
  return lines(
    `id: ${id}`,
    `title: ${title.includes(': ') || dice.chance(0.2) ? quoted(title) : title}`,
    `date: ${timestamp(dice)}`,
    dice.chance(0.8)
      ? `image: shots/${name}.png`
      : `image: https://images.example.com/${name}/normal.png`,
    dice.chance(0.6) && `large_image: shots/${name}-large.png`,
    ...prose('description', dice, member.language, dice.between(4, 7)),
    ...list('tags', dice, dice.between(2, 8)),
    member.projects.length > 0 &&
      dice.chance(0.5) &&
      `id_project: ${dice.pick(member.projects)}`,
    dice.chance(0.3) && `status: ${dice.between(1, 4)}`,
    dice.chance(0.2) && `attachment: //files.example.com/${name}.zip`,
    ...(dice.chance(0.1)
      ? [
          `url_purchased: https://shop.example.com/${name}?ref=shot`,
          `price_item: "${dice.between(1, 90)}.00"`,
        ]
      : []),
    dice.chance(0.03) && 'draft: true',
  )
}

const shotName = (dice: Random, number: number): string =>
  `${String(number).padStart(3, '0')}-${dice.pick(words).normalize('NFC')}.yaml`

/** A text in one of the ways that people write it: block, folded block, quoted, plain. */
const prose = (
  key: string,
  dice: Random,
  language: readonly string[],
  count: number,
): readonly string[] => {
  const texts = Array.from({ length: count }, () => dice.pick(language))
  const style = dice.between(1, 10)
  if (style <= 5) return [`${key}: |`, ...texts.map((text) => `  ${text}`)]
  if (style <= 7) return [`${key}: >-`, ...texts.map((text) => `  ${text}`)]
  if (style <= 9) return [`${key}: ${quoted(texts.join('\n'))}`]
  return [`${key}: ${texts.join(' ').replaceAll(': ', ', ').replaceAll(' #', ' ')}`]
}

/** Half of the lists in brackets, half a line each. */
const list = (key: string, dice: Random, count: number): readonly string[] => {
  const items = dice.some(words, count)
  return dice.chance(0.5)
    ? [`${key}: [${items.join(', ')}]`]
    : [`${key}:`, ...items.map((item) => `  - ${item}`)]
}

/** JSON's strings are YAML's double-quoted ones. */
const quoted = (text: string): string => JSON.stringify(text)

/** Now and then the day alone, so that dates tie. */
const timestamp = (dice: Random): string => {
  const date = [
    dice.between(2009, 2024),
    two(dice.between(1, 12)),
    two(dice.between(1, 28)),
  ].join('-')
  if (dice.chance(0.1)) return date
  return `${date} ${two(dice.between(0, 23))}:${two(dice.between(0, 59))}:${two(dice.between(0, 59))}`
}

const two = (number: number): string => String(number).padStart(2, '0')

const lines = (...parts: readonly (string | false)[]): string =>
  `${parts.filter((part) => part !== false).join('\n')}\n`

/** A stream of numbers that a seed decides wholly; the same on every machine. Not for secrets. */
type Random = {
  /** A whole number from `least` to `most`, both included. */
  readonly between: (least: number, most: number) => number
  readonly chance: (probability: number) => boolean
  readonly pick: <T>(items: readonly T[]) => T
  /** `count` different items (all, if there are fewer), in random order. */
  readonly some: <T>(items: readonly T[], count: number) => readonly T[]
}

/** Weyl steps through a 32-bit mixing function; `seed` and `stream` are whole numbers. */
const random = (seed: number, stream: number): Random => {
  let state = mix(seed) ^ mix(stream + 0x9e3779b9)
  const next = (): number => {
    state = (state + 0x9e3779b9) | 0
    return (mix(state) >>> 0) / 2 ** 32
  }
  const between = (least: number, most: number) =>
    least + Math.floor(next() * (most - least + 1))
  return {
    between,
    chance: (probability) => next() < probability,
    pick: (items) => items[between(0, items.length - 1)]!,
    some: (items, count) => {
      const left = [...items]
      return Array.from({ length: Math.min(count, left.length) }, () => {
        return left.splice(between(0, left.length - 1), 1)[0]!
      })
    },
  }
}

const mix = (value: number): number => {
  let x = value | 0
  x = Math.imul(x ^ (x >>> 16), 0x21f0aaad)
  x = Math.imul(x ^ (x >>> 15), 0x735a2d97)
  return x ^ (x >>> 15)
}
