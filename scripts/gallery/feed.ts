import { type Html, html, markupOf } from '../text/html.ts'
import {
  type Entry,
  type Index,
  type MemberData,
  mostInFeed,
  type Summary,
  summarize,
} from './data.ts'
import { addressOf, type Place, placeOf, type Settings, sourceOf } from './page.ts'

/** An Atom feed of the newest works of all. */
export const feedOfAll = ({ newest }: Index, settings: Settings): string =>
  feed(newest.slice(0, 30), '/', settings)

/** An Atom feed of the newest works of a member. */
export const feedOfMember = (data: MemberData, settings: Settings): string => {
  const member = summarize(data)
  const entries = member.works.slice(0, mostInFeed).map((work) => ({ member, work }))
  return feed(entries, addressOf.member(member.username), settings, member)
}

/** Its dates are the content's. */
const feed = (
  entries: readonly Entry[],
  home: string,
  settings: Settings,
  member?: Summary,
): string => {
  const path = `${home}feed.xml`
  const absolute = { path, settings, to: (address: string) => settings.url + address }
  const place = settings.url === '' ? placeOf(path, { settings }) : absolute
  const newest = entries[0]?.work.date ?? '0001-01-01 00:00:00'
  const items = entries.map((entry) => feedEntry(entry, place, !member && authored(entry.member)))
  return markupOf(html`<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom"><title>${member?.name ?? settings.title}</title><id>${settings.baseUrl}${home}</id><link href="${place.to(home)}"/><link rel="self" href="${place.to(path)}"/><updated>${stamp(newest)}</updated>${member && authored(member)}
${items}</feed>
`)
}

const feedEntry = ({ member, work }: Entry, place: Place, author: Html | false): Html => {
  const { title, image, look, words, date } = work
  const address = addressOf.work(member.username, work.id)
  const source = sourceOf(image, place)
  const size = look && html` width="${look.width}" height="${look.height}"`
  const shown = [
    source && html`<p><img src="${source}" alt="${title}"${size}></p>`,
    words && html`<p>${words}</p>`,
  ]
  const text = markupOf(html`${shown}`)
  const content = text !== '' && html`<content type="html">${text}</content>`
  return html`<entry><title>${title}</title><id>${place.settings.baseUrl}${address}</id><link href="${place.to(address)}"/><updated>${stamp(date)}</updated>${author}${content}</entry>\n`
}

const authored = ({ name }: Summary): Html => html`<author><name>${name}</name></author>`

const stamp = (date: string): string => `${date.replace(' ', 'T')}Z`
