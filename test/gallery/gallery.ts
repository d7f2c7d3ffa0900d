import { parse } from 'yaml'
import { type Profile, type Shot, toProfile, toShot } from '../../scripts/content/member.ts'
import { type GallerySite, noGallery, type Site } from '../../scripts/content/site.ts'
import { createIndex, memberData, summarize } from '../../scripts/gallery/data.ts'
import { type Gallery, settingsOf } from '../../scripts/gallery/page.ts'
import { memberPages, sharedPages } from '../../scripts/gallery/render.ts'
import type { Whole } from '../../scripts/snapshot/product.ts'
import { sandbox } from '../sandbox.ts'

type Someone = Partial<Profile> & {
  readonly username: string
  readonly shots?: readonly Partial<Shot>[]
  readonly looks?: Whole['looks']
}

/** People as YAML. */
export const people = (text: string): Someone[] => parse(text)

/** A gallery of members of whom only what matters is said; ids and dates are counted. */
export const galleryOf = (
  people: readonly Someone[],
  said: Partial<GallerySite> = {},
): Gallery => {
  let id = 1000
  const members = people.map(({ username, shots = [], looks = new Map(), ...profile }) =>
    memberData(
      {
        username,
        looks,
        profile: { ...toProfile({ id: '1', name: username }), ...profile },
        shots: shots.map((shot) => ({
          ...toShot({
            id: `${++id}`,
            title: `Work ${id}`,
            date: '2024-01-01 00:00:00',
            image: 'one.png',
          }),
          ...shot,
        })),
      },
      site,
    ),
  )
  const byName = new Map(members.map((member) => [member.username, member]))
  return {
    settings: settingsOf({ ...site, gallery: { ...noGallery, ...said } }),
    index: createIndex(members.map(summarize)),
    member: (username) => byName.get(username),
  }
}

/** Every page of a gallery. */
const allPages = (gallery: Gallery) => [
  ...sharedPages(gallery.index, gallery.settings),
  ...gallery.index.members.flatMap(({ username }) => [
    ...memberPages(gallery.member(username)!, gallery.settings),
  ]),
]

/** Every address of a gallery. */
export const allAddresses = (gallery: Gallery) =>
  allPages(gallery).map(([address]) => address)

/** Everything that a gallery says, by address. */
export const everything = (gallery: Gallery): ReadonlyMap<string, string> =>
  new Map(allPages(gallery).map(([address, textOf]) => [address, textOf()]))

/**
 * Writes the pages into a folder of their own, as {@link sandbox} does. The 404 page has
 * addresses that only a host can answer, and gets ours.
 */
export const writePages = (gallery: Gallery, end?: Parameters<typeof sandbox>[1]) => {
  const files = Array.from(everything(gallery), ([address, text]) => {
    const file = address.endsWith('/') ? `${address}index.html` : address
    return [file, address === '/404.html' ? text.replaceAll('="/', '="') : text] as const
  })
  return sandbox(Object.fromEntries(files), end)
}

const site = {
  baseUrl: 'https://api.example.com',
  assets: { https: 'https://cdn.example.com', http: 'http://cdn.example.com' },
  gallery: noGallery,
} as Site

/** What a stranger may write in every field that takes text. */
export const hostile = {
  script: '</script><script>alert(1)</script><img src=x onerror=alert(1)>',
  attribute: '" onmouseover="alert(1)" x=\'y\' `alert(1)`',
  controls: 'a\u0000b\u001bc\u202ed\u2028e\ud800f]]>--><!--',
  long: 'Donaudampfschifffahrtsgesellschaft'.repeat(150),
  rightToLeft: 'مرحبا بالعالم — שלום עולם',
} as const
