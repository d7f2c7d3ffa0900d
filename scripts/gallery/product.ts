import type { File, Given, Published } from '../api/output.ts'
import type { Site } from '../content/site.ts'
import type { Product } from '../snapshot/product.ts'
import { createChanges } from './changes.ts'
import { createIndex, memberData, type Summary, summarize } from './data.ts'
import { mayStay } from './folder.ts'
import { notFound, settingsOf } from './page.ts'
import { memberPages, sharedPages } from './render.ts'

/** What a gallery is made of besides the content of members. */
export type About = {
  readonly drafts: boolean
  /** With more members, what cards and search engines are told of each work would be 200 MB. */
  readonly isLarge: boolean
  /** Stands for the logo's bytes; `''` if there is none. */
  readonly logo: string
}

/** The gallery of a site, with the bytes of its logo, which only the pages of all members need. */
export const galleryOf = (site: Site, about: About, logo?: Uint8Array): Product => {
  const { drafts, isLarge } = about
  const settings = { ...settingsOf(site), isLarge, ...(about.logo === '' && { logo: '' }) }
  return {
    name: 'gallery',
    about,
    drafts,
    ofMember: ({ username, profile, shots, looks }) => {
      const data = memberData({ username, profile, shots, looks }, site)
      return {
        files: mayHavePages(username) ? pagesOf(memberPages(data, settings)) : [],
        // the words of a member who was just read hold the texts of all files in memory
        kept: { gallery: structuredClone(summarize(data)) },
      }
    },
    *ofSite(given) {
      const index = createIndex(given.members().map(summaryOf))
      const changes = changesIn(given)
      for (const file of pagesOf(sharedPages(index, settings)))
        yield { ...file, isSame: !changes.mayBeOn(file.address) }
      if (logo !== undefined) yield { paths: [settings.logo], bytes: () => logo }
    },
    memberFolders: ['members'],
    mark: notFound.slice(1),
    others: [],
    mayStay,
  }
}

/** members/index.html is the page of all members. */
export const mayHavePages = (username: string): boolean => username.toLowerCase() !== 'index.html'

/** What the pages of all members show of one. */
export const summaryOf = ({ kept }: { readonly kept?: Published['kept'] }): Summary =>
  kept?.gallery as Summary

function* pagesOf(pages: ReturnType<typeof memberPages>): Generator<File & { address: string }> {
  for (const [address, bytes, dataOf] of pages) {
    const path = `${address.slice(1)}${address.endsWith('/') ? 'index.html' : ''}`
    yield { address, paths: [path], bytes, from: dataOf && JSON.stringify(dataOf()) }
  }
}

/** Which pages may say something else than in the last gallery. */
const changesIn = ({ members, before, gone }: Given) => {
  const changes = createChanges()
  for (const member of members()) {
    const kept = before(member.username)
    if (kept !== member.kept) changes.compare(kept && summaryOf({ kept }), summaryOf(member))
  }
  for (const member of gone()) changes.compare(summaryOf(member), undefined)
  return changes
}
