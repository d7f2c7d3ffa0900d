import { html, markupOf } from '../text/html.ts'
import { type Entry, type Index, type MemberData, mostInFeed, summarize } from './data.ts'
import { addressOf, type Place, placeOf, type Settings, sourceOf } from './page.ts'

/** An Atom feed of the newest works of all. */
export const feedOfAll = ({ newest }: Index, settings: Settings): string =>
  feed(newest.slice(0, 30), placeOf('/feed.xml', rooted(settings)))

/** An Atom feed of the newest works of a member. */
export const feedOfMember = (data: MemberData, settings: Settings): string => {
  const member = summarize(data)
  const entries = member.works.slice(0, mostInFeed).map((work) => ({ member, work }))
  const path = `${addressOf.member(member.username)}feed.xml`
  return feed(entries, placeOf(path, rooted(settings)), member.name)
}

/** Links of a feed are whole where that is known. */
const rooted = (settings: Settings): Settings =>
  settings.url === '' ? settings : { ...settings, root: settings.url }

/** Its dates are the content's. */
const feed = (entries: readonly Entry[], place: Place, title = place.settings.title) => {
  const { path, settings, to } = place
  const home = path.replace('feed.xml', '')
  const newest = entries[0]?.work.date ?? '0001-01-01 00:00:00'
  const items = entries.map((entry) => feedEntry(entry, place))
  return markupOf(html`<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom"><title>${title}</title><id>${settings.baseUrl}${home}</id><link href="${to(home)}"/><link rel="self" href="${to(path)}"/><updated>${stamp(newest)}</updated>
${items}</feed>
`)
}

const feedEntry = ({ member, work }: Entry, place: Place) => {
  const { title, image, look, words, date } = work
  const address = addressOf.work(member.username, work.id)
  const source = sourceOf(image, place)
  const size = look && html` width="${look.width}" height="${look.height}"`
  const shown = [
    source && html`<p><img src="${source}" alt="${title}"${size}></p>`,
    words && html`<p>${words}</p>`,
  ]
  const text = markupOf(html`${shown}`)
  const content = html`<content type="html">${text}</content>`
  return html`<entry><title>${title}</title><id>${place.settings.baseUrl}${address}</id><link href="${place.to(address)}"/><updated>${stamp(date)}</updated><author><name>${member.name}</name></author>${content}</entry>\n`
}

const stamp = (date: string) => `${date.replace(' ', 'T')}Z`
