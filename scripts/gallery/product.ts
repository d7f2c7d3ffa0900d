import type { File, Given, Published } from '../api/output.ts'
import type { Site } from '../content/site.ts'
import type { Product } from '../snapshot/product.ts'
import { changedLists } from './changes.ts'
import { createIndex, linesOf, memberData, summarize, summaryIn } from './data.ts'
import { mayStay } from './folder.ts'
import { type Addressed, notFound, settingsOf } from './page.ts'
import { memberPages, sharedPages } from './render.ts'

/** What a gallery is made of besides the content of members. */
type About = {
  readonly drafts: boolean
  /** Stands for the logo's bytes; `''` if there is none. */
  readonly logo: string
}

/** The gallery of a site, with the bytes of its logo, which only the pages of all members need. */
export const galleryOf = (site: Site, about: About, logo?: Uint8Array): Product => {
  const settings = { ...settingsOf(site), ...(about.logo === '' && { logo: '' }) }
  return {
    name: 'gallery',
    site,
    about,
    drafts: about.drafts,
    ofMember: (member) => {
      const data = memberData(member, site)
      return {
        files: filesOf(memberPages(data, settings)),
        kept: { gallery: linesOf(summarize(data)) },
      }
    },
    *ofSite(given) {
      const index = createIndex(given.members().map((one) => summaryIn(linesKept(one))))
      const changed = changesIn(given)
      for (const file of filesOf(sharedPages(index, settings))) {
        const list = file.address.replace(/~\d+\/$/, '')
        const isList = /^\/(?:members\/$|\w+\/.)/.test(list)
        yield { ...file, isSame: isList && changed?.has(list) === false }
      }
      if (logo) yield { paths: [settings.logo], bytes: () => logo }
    },
    memberFolders: ['members'],
    mark: notFound.slice(1),
    others: [],
    mayStay,
  }
}

/** What the pages of all members show of one, in lines; none of nobody. */
export const linesKept = (member?: { readonly kept?: Published['kept'] }) =>
  (member?.kept?.gallery ?? []) as readonly string[]

function* filesOf(pages: Iterable<Addressed>): Generator<File & { address: string }> {
  for (const [address, bytes, data] of pages) {
    const path = `${address.slice(1)}${address.endsWith('/') ? 'index.html' : ''}`
    yield { address, paths: [path], bytes, from: data && JSON.stringify(data) }
  }
}

/**
 * The lists that may say something else than in the last gallery, by address; `undefined` if
 * that showed nobody.
 */
const changesIn = ({ members, before }: Given): ReadonlySet<string> | undefined => {
  if (before.size === 0) return undefined
  const now = new Map(members().map((member) => [member.username, member]))
  const changed = [...new Set([...now.keys(), ...before.keys()])].flatMap((username) => {
    const was = linesKept(before.get(username))
    const is = linesKept(now.get(username))
    return was === is ? [] : changedLists(was, is)
  })
  return new Set(changed)
}
